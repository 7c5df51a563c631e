import { existsSync, mkdirSync, realpathSync, statSync } from "node:fs";
import path from "node:path";

import { oneLine, escapeControlsInJson } from "../../analysis/plain-text.js";
import { EconomyRepair, type EconomyOptions } from "../../analysis/economy-repair.js";
import {
  HistoryRepair,
  type Repairing,
  type RepairOptions,
  type RepairTotals,
} from "../../analysis/repair.js";
import { grouped, plural } from "../../analysis/wording.js";
import { InputError } from "../../sessions/event-lines.js";
import { SavedReader } from "../../sessions/read-saved.js";
import { FORMAT_TITLES, type FormatName } from "../../sessions/saved-session.js";
import { Complaints } from "../complain.js";
import { EXIT } from "../exit-code.js";
import { AtomicFile, type Replacement } from "../files/atomic-file.js";
import { unwritable } from "../files/file-errors.js";
import { FileState } from "../files/file-state.js";
import { findInputs, type Input } from "../files/inputs.js";
import { chunksOf } from "../files/session-lines.js";
import { leadsOut, replacedFile } from "../files/write-target.js";
import { wrap } from "../terminal/columns.js";
import { Output } from "../terminal/output.js";
import { Progress } from "../terminal/progress.js";

/** What is repaired, and where the copies go. */
export interface Repair {
  names: readonly string[];
  /** Undefined: nothing is written, unless in place. */
  output: string | undefined;
  inPlace: boolean;
  json: boolean;
  /** With an economy older messages are shortened, too. */
  options: RepairOptions | EconomyOptions;
}

/** Formats that are records of what happened, and not what is sent again. */
const NO_HISTORIES = new Set<FormatName>([
  "events",
  "cline-ui",
  "cline-markdown",
  "claude-stream",
  "gemini-stream",
  "codex",
  "gemini-cli",
  "openhands",
  "openhands-eval",
  "swe-agent",
  "pi",
  "opencode",
  "goose",
  "copilot-chat",
]);

/** Repairs histories: the exit code. */
export async function repair(task: Repair): Promise<number> {
  const output = new Output();
  const complaints = new Complaints();
  const inputs = findInputs(task.names, looksLikeHistory, complaints.add);
  const progress = new Progress(inputs);
  let done = 0;
  try {
    for (const input of inputs) {
      progress.file(input.file);
      const isChance = input.folder !== undefined;
      const outcome = await complaints.catch(
        () => repairFile(input, task, progress),
        // In a folder, files that are no histories are ignored.
        (error) => !(isChance && error.isUnknown),
      );
      if (!outcome) continue;
      done += 1;
      showOutcome(output, input.file, outcome, task);
      await output.ready();
    }
  } finally {
    progress.end();
  }
  if (done === 0 && complaints.count === 0) {
    for (const name of task.names) complaints.add(new InputError(name, "has no histories"));
  }
  await output.ready();
  return complaints.count > 0 ? EXIT.badInput : EXIT.ok;
}

interface Outcome extends RepairTotals {
  format: FormatName;
  /** Where it was written; undefined if it was not. */
  output: string | undefined;
  backup: string | undefined;
}

function looksLikeHistory(file: string): boolean {
  return /^\.(jsonl?|traj)$/.test(path.extname(file));
}

async function repairFile(input: Input, task: Repair, progress: Progress): Promise<Outcome> {
  const { file } = input;
  const target = targetOf(input, task);
  const backup = task.inPlace ? `${target}.bak` : undefined;
  const leadsAway = task.inPlace && input.folder !== undefined && leadsOut(file, input.folder);
  const read = task.inPlace ? new FileState(target!) : undefined;
  const reader = new SavedReader(file);
  const history = repairing(task.options);
  let written: AtomicFile | undefined;
  try {
    if (target !== undefined && !leadsAway) written = open(target, file);
    // In place what is read is what is replaced, even if a link leads elsewhere by then.
    const source = task.inPlace ? { ...input, file: target! } : input;
    const chunks = chunksOf(source, (bytes) => progress.read(bytes));
    for await (const piece of reader.pieces(chunks)) {
      if (NO_HISTORIES.has(reader.format!)) {
        const why = `it records what happened, not what is sent again (${FORMAT_TITLES[reader.format!]})`;
        throw new InputError(file, `cannot be repaired: ${why}`, undefined, true);
      }
      const bytes = history.take(piece);
      if (written) write(written, bytes, target!);
    }
    const { totals, rest } = history.end(reader.format!);
    if (written) for (const bytes of rest) write(written, bytes, target!);
    // A file that needs nothing is not touched.
    const isNeeded = totals.messagesChanged > 0 || !task.inPlace;
    if (isNeeded && leadsAway) {
      const where = `it is ${target!}; name that by itself`;
      throw new InputError(file, `is not repaired: it leads out of ${input.folder!}, ${where}`);
    }
    if (isNeeded && backup !== undefined && existsSync(backup)) {
      throw new InputError(file, `is not repaired: ${path.basename(backup)} exists already`);
    }
    if (written && isNeeded) commit(written, target!, { backup, read });
    const isWritten = written !== undefined && isNeeded;
    return {
      ...totals,
      format: reader.format!,
      output: isWritten ? target : undefined,
      backup: isWritten ? backup : undefined,
    };
  } finally {
    history.dispose();
    written?.abandon();
  }
}

function repairing(options: RepairOptions | EconomyOptions): Repairing {
  return "economy" in options ? new EconomyRepair(options) : new HistoryRepair(options);
}

/** Where the repaired file goes, if anywhere. */
function targetOf({ file, folder }: Input, { output, inPlace }: Repair): string | undefined {
  if (inPlace) {
    if (file === "-") throw new InputError(file, "cannot be replaced; give -o");
    // A link stays a link.
    return existsSync(file) ? realpathSync(file) : file;
  }
  if (output === undefined) return undefined;
  let target = folder === undefined ? output : path.join(output, path.relative(folder, file));
  if (isFolder(target)) {
    target = path.join(target, path.basename(file === "-" ? "stdin.json" : file));
  }
  if (folder !== undefined && leadsOut(target, output)) {
    throw new InputError(target, `is not written: it leads out of ${output}`);
  }
  return sameChecked(file, replacedFile(target));
}

function sameChecked(file: string, target: string): string {
  if (file !== "-" && existsSync(file) && existsSync(target)) {
    if (realpathSync(file) === realpathSync(target)) {
      throw new InputError(file, "is its own output; --in-place keeps a backup");
    }
  }
  return target;
}

function isFolder(name: string): boolean {
  return statSync(name, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function open(target: string, like: string): AtomicFile {
  return writing(target, () => {
    mkdirSync(path.dirname(target), { recursive: true });
    return new AtomicFile(target, like !== "-" && existsSync(like) ? like : undefined);
  });
}

function write(file: AtomicFile, bytes: Uint8Array, target: string): void {
  writing(target, () => file.write(bytes));
}

function commit(file: AtomicFile, target: string, how: Replacement): void {
  writing(target, () => file.commit(how));
}

function writing<T>(target: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(target, unwritable(error as NodeJS.ErrnoException));
  }
}

/** What went, by what it was. */
function whatWent({ blocksRemoved, kinds }: Outcome): string {
  if (kinds === undefined) return plural(blocksRemoved, "duplicate block");
  const { duplicate, environment, file, write, result } = kinds;
  const found: [typeof duplicate, one: string, several: string][] = [
    [duplicate, "duplicate block", "duplicate blocks"],
    [environment, "outdated block", "outdated blocks"],
    [file, "older copy of a file", "older copies of files"],
    [write, "older argument with a file", "older arguments with files"],
    [result, "repeated result", "repeated results"],
  ];
  const shown = found
    .filter(([{ characters }]) => characters > 0)
    .map(([{ items, characters }, one, several]) => {
      const count = `${grouped(items)} ${items === 1 ? one : several}`;
      return `${count} (${plural(characters, "character")})`;
    });
  return shown.join(", ");
}

function showOutcome(output: Output, file: string, outcome: Outcome, task: Repair): void {
  const { format, messagesChanged, tokensRemoved, messages } = outcome;
  if (task.json) {
    const { backup, output: to, ...totals } = outcome;
    const value = {
      file,
      ...totals,
      ...(to !== undefined && { output: to }),
      ...(backup && { backup }),
    };
    output.line(escapeControlsInJson(JSON.stringify(value)));
    return;
  }
  const wouldBe = task.output === undefined && !task.inPlace;
  const done =
    messagesChanged === 0
      ? "nothing to repair"
      : `${whatWent(outcome)} ${wouldBe ? "would go" : "removed"}, ` +
        `${plural(messagesChanged, "message")} of ${grouped(messages)} changed, ` +
        `about ${plural(tokensRemoved, "token")} saved`;
  const where =
    outcome.output !== undefined
      ? `; written to ${outcome.output}${outcome.backup ? `, before in ${outcome.backup}` : ""}`
      : wouldBe
        ? "; nothing is written without -o or --in-place"
        : "; left as it is";
  const text = `${oneLine(file)} (${FORMAT_TITLES[format]}): ${done}${oneLine(where, 1_000)}`;
  for (const line of wrap(text, output.textColumns)) output.line(line);
}
