import type { AnyProfile } from "../../analysis/profiles.js";
import path from "node:path";

import { Comparison, type SessionFindings } from "../../analysis/comparison.js";
import type { PlayerOptions } from "../../analysis/player.js";
import { InputError } from "../../saved/event-lines.js";
import { Complaints } from "../complain.js";
import { EXIT } from "../exit-code.js";
import { findInputs, type Input } from "../files/inputs.js";
import { sessionLines } from "../files/session-lines.js";
import { Output } from "../terminal/output.js";
import { Progress } from "../terminal/progress.js";

import { CompareJson } from "./json.js";
import { CompareTable } from "./table.js";

/** How sessions are compared. */
export interface CompareOptions {
  names: string[];
  profiles: readonly AnyProfile[];
  play: Omit<PlayerOptions, "settings" | "continue">;
  json: boolean;
  quiet: boolean;
}

/** `turnkeeper replay --compare`: the exit code. */
export async function compare(options: CompareOptions): Promise<number> {
  const { profiles } = options;
  const output = new Output();
  const view = options.json
    ? new CompareJson(output)
    : new CompareTable(output, profiles, options.quiet);
  const complaints = new Complaints();
  const inputs = findInputs(options.names, (file) => EXTENSION.test(file), complaints.add);
  const progress = new Progress(inputs);
  let sessions = 0;

  for (const input of inputs) {
    progress.file(input.file);
    const isChance = input.folder !== undefined;
    const result = await complaints.catch(
      () => played(input, options, (bytes) => progress.read(bytes)),
      // In a folder, files that are no sessions are ignored.
      (error) => !(isChance && error.isUnknown),
    );
    if (!result) continue;
    sessions += 1;
    view.session({ name: nameOf(input), file: input.file, result });
    await output.ready();
  }
  progress.end();
  if (sessions === 0 && complaints.count === 0) {
    for (const name of options.names) complaints.add(new InputError(name, "has no sessions"));
  }
  const problems = complaints.count;
  const exitCode = problems > 0 ? EXIT.badInput : EXIT.ok;
  view.close({ sessions, problems }, exitCode);
  await output.ready();
  return exitCode;
}

/** @throws {@link InputError} if not all of the file can be played */
async function played(
  input: Input,
  { profiles, play }: CompareOptions,
  onRead: (bytes: number) => void,
): Promise<SessionFindings> {
  const { file } = input;
  const rules = profiles.map((profile) => ({ profile }));
  const comparison = new Comparison(file, rules, play);
  let result: SessionFindings;
  try {
    for await (const line of sessionLines(input, onRead)) comparison.play(line);
  } finally {
    result = comparison.end();
  }
  if (result.events === 0) throw new InputError(file, "has no events");
  return result;
}

/** What of a folder is played; anything else that is named by itself is, too. */
const EXTENSION = /\.(jsonl?|ndjson|traj)$/;

/** Below the folder that was named. */
function nameOf({ file, folder }: Input): string {
  if (folder === undefined) return file;
  const name = path.relative(folder, file) || path.basename(file);
  return name.replace(EXTENSION, "");
}
