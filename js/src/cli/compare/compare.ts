import path from "node:path";

import {
  Comparison,
  firsts,
  type Finding,
  type SessionFindings,
} from "../../analysis/comparison.js";
import type { PlayerOptions } from "../../analysis/player.js";
import type { AnyProfile } from "../../analysis/profiles.js";
import { plural } from "../../analysis/wording.js";
import { InputError } from "../../saved/event-lines.js";
import { eachFile } from "../each-file.js";
import { exitCode } from "../exit-code.js";
import type { Input } from "../files/inputs.js";
import { sessionLines } from "../files/session-lines.js";
import { Output } from "../terminal/output.js";

import { rowOf, showRows, type Row } from "./table.js";

/** How sessions are compared. */
interface CompareOptions {
  names: string[];
  profiles: readonly AnyProfile[];
  play: Omit<PlayerOptions, "settings" | "continue">;
  json: boolean;
  quiet: boolean;
}

/** `turnkeeper replay --compare`; `docs/command-line.md` documents its JSON. */
export async function compare({ names, profiles, play, json, quiet }: CompareOptions) {
  const output = new Output();
  const rows: Row[] = [];
  const { done: sessions, problems } = await eachFile({
    names,
    extension: EXTENSION,
    what: "sessions",
    hasBar: true,
    work: (input, onRead) => played(input, profiles, play, onRead),
    async show(result, input) {
      if (json) output.json({ session: nameOf(input), file: input.file, ...asJson(result) });
      else rows.push(rowOf(nameOf(input), result));
      await output.ready();
    },
  });
  if (json) output.json({ comparison: { sessions, problems }, exitCode: exitCode() });
  else if (!quiet && rows.length > 0) showRows(output, profiles, rows);
  if (!json) output.paragraph(plural(sessions, "session"));
  await output.ready();
}

/** @throws {@link InputError} if not all of the file can be played */
async function played(
  input: Input,
  profiles: readonly AnyProfile[],
  play: CompareOptions["play"],
  onRead: (bytes: number) => void,
): Promise<SessionFindings> {
  const rules = profiles.map((profile) => ({ profile }));
  const comparison = new Comparison(input.file, rules, play);
  let result: SessionFindings;
  try {
    for await (const line of sessionLines(input, onRead)) comparison.play(line);
  } finally {
    result = comparison.end();
  }
  if (result.events === 0) throw new InputError(input.file, "has no events");
  return result;
}

/** What of a folder is played. */
const EXTENSION = /\.(jsonl?|ndjson|traj)$/;

/** Below the folder that was named, and then without its extension. */
function nameOf({ file, folder }: Input): string {
  if (folder === undefined) return file;
  const name = path.relative(folder, file) || path.basename(file);
  return name.replace(EXTENSION, "");
}

function asJson({ events, calls, profiles }: SessionFindings): object {
  const found = profiles.map((of) => {
    const { nudge, stop } = firsts(of);
    const count = (wanted: string): number =>
      of.findings.filter(({ action }) => action === wanted).length;
    const value = {
      ...(nudge && { nudge: placeOf(nudge) }),
      ...(stop && { stop: placeOf(stop) }),
      nudges: count("nudge"),
      stops: count("stop"),
      saved: of.saved,
      blind: of.blind,
    };
    return [of.profile, value] as const;
  });
  return { events, calls, profiles: Object.fromEntries(found) };
}

function placeOf({ report: { type, rule }, ...finding }: Finding): object {
  return { ...finding, type, rule };
}
