import path from "node:path";

import { Comparison, type SessionFindings } from "../../analysis/comparison.js";
import type { Label } from "../../analysis/labels.js";
import type { PlayerOptions } from "../../analysis/player.js";
import { Tally, score } from "../../analysis/score.js";
import { plural } from "../../analysis/wording.js";
import type { LoopProfile } from "turnkeeper";
import { InputError } from "../../saved/event-lines.js";
import { Complaints } from "../complain.js";
import { EXIT } from "../exit-code.js";
import { findInputs, type Input } from "../files/inputs.js";
import { sessionLines } from "../files/session-lines.js";
import { Output } from "../terminal/output.js";
import { Progress } from "../terminal/progress.js";

import { CompareJson } from "./json.js";
import { Labels } from "./labels.js";
import { CompareTable } from "./table.js";

/** How sessions are compared. */
export interface CompareOptions {
  names: string[];
  profiles: readonly LoopProfile[];
  play: Omit<PlayerOptions, "settings" | "continue">;
  /** How many calls before the labelled start a verdict still counts as in time. */
  tolerance: number;
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
  const labels = new Labels(complaints.add);
  const tallies = profiles.map((profile) => new Tally(profile));
  const progress = new Progress(inputs);
  let sessions = 0;
  let labelled = 0;

  for (const input of inputs) {
    progress.file(input.file);
    const label = labels.of(input.file);
    const isChance = input.folder !== undefined && label === undefined;
    const result = await complaints.catch(
      () => played(input, options, label, (bytes) => progress.read(bytes)),
      // In a folder, files that are no sessions and have no label are ignored.
      (error) => !(isChance && error.isUnknown),
    );
    if (!result) continue;
    const scores = label && result.profiles.map((p) => score(p.findings, label, options.tolerance));
    const name = nameOf(input);
    scores?.forEach((each, index) => tallies[index]!.add(name, each));
    sessions += 1;
    if (label) labelled += 1;
    view.session({ name, file: input.file, label, result, scores });
    await output.ready();
  }
  progress.end();
  labels.nameMissing(inputs);
  if (sessions === 0 && complaints.count === 0) {
    for (const name of options.names) complaints.add(new InputError(name, "has no sessions"));
  }
  const totals = labelled > 0 ? tallies.map(({ total }) => total) : [];
  const problems = complaints.count;
  const exitCode = problems > 0 ? EXIT.badInput : EXIT.ok;
  view.close({ sessions, labelled, tolerance: options.tolerance, totals, problems }, exitCode);
  await output.ready();
  return exitCode;
}

/** @throws {@link InputError} if not all of the file can be played, or it is not what the label is of */
async function played(
  input: Input,
  { profiles, play }: CompareOptions,
  label: Label | undefined,
  onRead: (bytes: number) => void,
): Promise<SessionFindings> {
  const { file } = input;
  const comparison = new Comparison(file, profiles, play);
  let result: SessionFindings;
  try {
    for await (const line of sessionLines(input, onRead)) comparison.play(line);
  } finally {
    result = comparison.end();
  }
  if (result.events === 0) throw new InputError(file, "has no events");
  if (label?.label === "loop" && label.start > result.calls) {
    const calls = plural(result.calls, "call");
    throw new InputError(file, `has ${calls}; a loop from call ${label.start} on is labelled`);
  }
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
