import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";

import { oneLine, escapeControlsInJson } from "../../analysis/plain-text.js";
import { HeldRepair, type ShortenOptions } from "../../analysis/held-repair.js";
import {
  HistoryRepair,
  type Repairing,
  type RepairOptions,
  type RepairTotals,
} from "../../analysis/repair.js";
import { grouped, plural } from "../../analysis/wording.js";
import { TurnkeeperError } from "turnkeeper";
import { InputError } from "../../saved/event-lines.js";
import { SavedReader } from "../../saved/read-saved.js";
import { FORMATS, type FormatName } from "../../saved/saved-session.js";
import { Complaints } from "../complain.js";
import { EXIT } from "../exit-code.js";
import { AtomicFile } from "../files/atomic-file.js";
import { unwritable } from "../files/file-errors.js";
import { findInputs, type Input } from "../files/inputs.js";
import { chunksOf } from "../files/session-lines.js";
import { wrap } from "../terminal/columns.js";
import { Output, goOnUnread } from "../terminal/output.js";
import { Progress } from "../terminal/progress.js";

import { copyAt, inPlace, withoutCopies, type Target } from "./target.js";

/** What is repaired, and where the copies go. */
export interface Repair {
  names: readonly string[];
  /** Undefined: nothing is written, unless in place. */
  output: string | undefined;
  inPlace: boolean;
  json: boolean;
  /** With an economy older messages are shortened, too. */
  options: RepairOptions | ShortenOptions;
}

/** Repairs histories: the exit code. */
export async function repair(task: Repair): Promise<number> {
  const output = new Output();
  const complaints = new Complaints();
  const { output: copies } = task;
  const found = findInputs(task.names, looksLikeHistory, complaints.add);
  const inputs = copies === undefined ? found : withoutCopies(found, copies);
  // It writes files; nobody need read what it prints.
  if (copies !== undefined || task.inPlace) goOnUnread();
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
  const { file, parts } = input;
  if (parts) {
    throw new InputError(file, "cannot be repaired: it is kept in several files", undefined, true);
  }
  const target = targetOf(input, task);
  const reader = new SavedReader(file);
  const history = repairing(task.options);
  let written: AtomicFile | undefined;
  try {
    // In place what is read is what is replaced, even if a link leads elsewhere by then.
    const source = task.inPlace ? { ...input, file: target!.file } : input;
    const chunks = chunksOf(source, (bytes) => progress.read(bytes));
    for await (const piece of reader.pieces(chunks)) {
      if (!FORMATS[reader.format!].isHistory) {
        const why = `it records what happened, not what is sent again (${FORMATS[reader.format!].title})`;
        throw new InputError(file, `cannot be repaired: ${why}`, undefined, true);
      }
      // Nothing is made for a file that turns out to be no history.
      if (target && target.outOf === undefined) written ??= open(target, file);
      const bytes = repairable(file, () => history.take(piece));
      if (written) write(written, bytes, target!);
    }
    const { totals, rest } = repairable(file, () => history.end());
    if (written) for (const bytes of rest) write(written, bytes, target!);
    // A file that needs nothing is not touched.
    const isNeeded = totals.messagesChanged > 0 || !task.inPlace;
    if (target && isNeeded) refuseIfUnsafe(file, target);
    if (written && isNeeded) commit(written, target!);
    const isWritten = written !== undefined && isNeeded;
    return {
      ...totals,
      format: reader.format!,
      output: isWritten ? target!.file : undefined,
      backup: isWritten ? target!.backup : undefined,
    };
  } finally {
    history.dispose();
    written?.abandon();
  }
}

/** @throws {@link InputError} if what is read must not be replaced, or gives no copy that is sure to be whole */
function refuseIfUnsafe(file: string, { file: target, outOf, backup, read }: Target): void {
  if (outOf !== undefined) {
    const where = `it is ${target}; name that by itself`;
    throw new InputError(file, `is not repaired: it leads out of ${outOf}, ${where}`);
  }
  if (backup !== undefined && existsSync(backup)) {
    throw new InputError(file, `is not repaired: ${path.basename(backup)} exists already`);
  }
  if (backup === undefined && read?.isOutOfDate(file)) {
    throw new InputError(
      file,
      "was changed by another program while it was read; nothing is written",
    );
  }
}

/** What a part of the repair gives; a message that the deduper refuses is bad input like any other. */
function repairable<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof TurnkeeperError)) throw error;
    throw new InputError(file, `cannot be repaired: ${error.message}`);
  }
}

function repairing(options: RepairOptions | ShortenOptions): Repairing {
  return "economy" in options ? new HeldRepair(options) : new HistoryRepair(options);
}

/** Where the repaired file goes, if anywhere. */
function targetOf(input: Input, { output, inPlace: isInPlace }: Repair): Target | undefined {
  if (isInPlace) return inPlace(input);
  return output === undefined ? undefined : copyAt(output, input);
}

function open({ file }: Target, like: string): AtomicFile {
  return writing(file, () => {
    mkdirSync(path.dirname(file), { recursive: true });
    return new AtomicFile(file, like !== "-" && existsSync(like) ? like : undefined);
  });
}

function write(written: AtomicFile, bytes: Uint8Array, { file }: Target): void {
  writing(file, () => written.write(bytes));
}

function commit(written: AtomicFile, { file, backup, read }: Target): void {
  // Of a copy, what is replaced is not what was read.
  writing(file, () => written.commit(backup === undefined ? {} : { backup, read }));
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
  const text = `${oneLine(file)} (${FORMATS[format].title}): ${done}${oneLine(where, 1_000)}`;
  for (const line of wrap(text, output.textColumns)) output.line(line);
}
