import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";

import { oneLine } from "../../analysis/plain-text.js";
import { HeldRepair, type ShortenOptions } from "../../analysis/held-repair.js";
import { HistoryRepair, type RepairOptions, type RepairTotals } from "../../analysis/repair.js";
import { grouped, plural } from "../../analysis/wording.js";
import { InputError } from "../../saved/event-lines.js";
import { SavedReader } from "../../saved/read-saved.js";
import { FORMATS, type SessionFormat } from "../../saved/saved-session.js";
import { eachFile } from "../each-file.js";
import { AtomicFile } from "../files/atomic-file.js";
import { withContent, withFile } from "../files/file-errors.js";
import type { Input } from "../files/inputs.js";
import { chunksOf } from "../files/session-lines.js";
import { Output, goOnUnread } from "../terminal/output.js";

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

/** Repairs histories. */
export async function repair(task: Repair): Promise<void> {
  const output = new Output();
  const { names, output: copies } = task;
  // It writes files; nobody need read what it prints.
  if (copies !== undefined || task.inPlace) goOnUnread();
  await eachFile({
    names,
    extension: /\.(jsonl?|traj)$/,
    what: "histories",
    hasBar: true,
    among: (found) => (copies === undefined ? found : withoutCopies(found, copies)),
    work: (input, onRead) => repairFile(input, task, onRead),
    async show(outcome, { file }) {
      showOutcome(output, file, outcome, task);
      await output.ready();
    },
  });
  await output.ready();
}

interface Outcome extends RepairTotals {
  format: SessionFormat;
  /** Where it was written; undefined if it was not. */
  output: string | undefined;
  backup: string | undefined;
}

async function repairFile(
  input: Input,
  task: Repair,
  onRead: (bytes: number) => void,
): Promise<Outcome> {
  const { file, parts } = input;
  if (parts) {
    throw new InputError(file, "cannot be repaired: it is kept in several files", undefined, true);
  }
  const target = targetOf(input, task);
  const reader = new SavedReader(file);
  const { options } = task;
  const history = "economy" in options ? new HeldRepair(options) : new HistoryRepair(options);
  let written: AtomicFile | undefined;
  const writing = <T>(work: () => T): T => withFile(target?.file ?? file, "written", work);
  try {
    // In place what is read is what is replaced, even if a link leads elsewhere by then.
    const source = task.inPlace ? { ...input, file: target!.file } : input;
    for await (const piece of reader.pieces(chunksOf(source, onRead))) {
      if (!FORMATS[reader.format!].isHistory) {
        const why = `it records what happened, not what is sent again (${FORMATS[reader.format!].title})`;
        throw new InputError(file, `cannot be repaired: ${why}`, undefined, true);
      }
      // Nothing is made for a file that turns out to be no history.
      if (target && target.outOf === undefined) written ??= writing(() => open(target, file));
      const bytes = withContent(file, "repaired", () => history.take(piece));
      writing(() => written?.write(bytes));
    }
    const { totals, rest } = withContent(file, "repaired", () => history.end());
    for (const bytes of rest) writing(() => written?.write(bytes));
    // A file that needs nothing is not touched.
    const isNeeded = totals.messagesChanged > 0 || !task.inPlace;
    if (target && isNeeded) {
      refuseIfUnsafe(file, target);
      const { backup, read } = target;
      // Of a copy, what is replaced is not what was read.
      writing(() => written?.commit(backup === undefined ? {} : { backup, read }));
    }
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

/** Where the repaired file goes, if anywhere. */
function targetOf(input: Input, { output, inPlace: isInPlace }: Repair): Target | undefined {
  if (isInPlace) return inPlace(input);
  return output === undefined ? undefined : copyAt(output, input);
}

function open({ file }: Target, like: string): AtomicFile {
  mkdirSync(path.dirname(file), { recursive: true });
  return new AtomicFile(file, like !== "-" && existsSync(like) ? like : undefined);
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
    output.json(value);
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
  output.paragraph(`${oneLine(file)} (${FORMATS[format].title}): ${done}${oneLine(where, 1_000)}`);
}
