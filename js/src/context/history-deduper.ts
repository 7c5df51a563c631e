import { RawHistoryDeduper } from "../../glue/turnkeeper.js";
import type { DedupeOptions, Superseded } from "../boundary/generated/shapes.js";
import { Machine, call, fault, make, rawOf, thrown } from "../boundary/machine.js";
import { plainOptions } from "../boundary/plain-value.js";
import { readMessage, readMessages, withContent } from "../messages/any.js";
import type { AnyMessage, MessagePart, ProviderMessage } from "../messages/messages.js";
import { TextPlace } from "../../glue/turnkeeper.js";
import { textOf } from "../messages/events.js";
import { Blocks, addText } from "./blocks.js";
import { type PackedEdits, applyEdits, hasEdits, withoutParts } from "./edits.js";
import {
  type CoreReport,
  type DedupeReport,
  type UndoneContent,
  type UndoneMessage,
  reportOf,
} from "./report.js";
import { copyOfUndo, undoOf } from "./undo.js";
import { takeMessage } from "./messages-taken.js";
import { Rewriting } from "./rewriting.js";

const MACHINE = "history_deduper";

/**
 * Leaves one block in each user message, at the end, and says what was done. The messages that are
 * given do not change; those that need no repair are returned as they are (`===`), the others are shallow
 * copies. Of several results of one call the first stays, since providers refuse a second one; a message that held
 * nothing else goes. {@link restoreHistory} undoes it. The messages may be those of Anthropic, OpenAI (chat, and the items of
 * its Responses), Gemini, the AI SDK or VS Code, and come back in the shape that they have.
 *
 * With `recent`, `sections`, `files`, `writes` and `repeatedResults`, or with `economy`, which stands for
 * several of them, older messages also lose what newer ones replace: at once, or, if `cache` is given, as
 * soon as the provider's prompt cache is cold or the saving is worth more than reading anew.
 *
 * It costs about as much as looking at the end of each text; only messages that need repair are read as a
 * whole. With `recent` or `sections` blocks are read, too; with `files` or `repeatedResults`, all texts are, once.
 *
 * @throws `invalid_config`, naming the option in `detail.field`, and `invalid_argument`, naming the
 * message as `messages[3]`, for one that is no object, and `unknown_messages` for one in no provider's shape.
 */
export function dedupeHistory<M extends ProviderMessage>(
  messages: readonly M[],
  options: DedupeOptions = {},
): { messages: M[]; report: DedupeReport } {
  const given = readMessages(MACHINE, messages);
  const raw = make(MACHINE, RawHistoryDeduper, plainOptions(MACHINE, options));
  try {
    const blocks = new Blocks(raw);
    const { needsEveryBlock, needsTexts } = blocks.settings;
    if (needsEveryBlock) {
      raw.expectUserMessages(given.filter(({ role }) => role === "user").length);
    }
    const again = new Map<number, ReadonlySet<number>>();
    let userIndex = 0;
    for (const [at, message] of given.entries()) {
      const { role, content } = message;
      const gone = takeMessage(MACHINE, blocks, message, at);
      if (role === "user") {
        if (blocks.send(content)) blocks.read(at, userIndex);
        userIndex++;
      }
      if (gone.size > 0) {
        again.set(at, gone);
        tellResultsAgain(blocks, content, at, gone);
      }
    }
    const edits = new Map(raw.finish() as [index: number, edits: PackedEdits][]);
    const superseded = needsTexts ? (raw.superseded() as Superseded[]) : [];
    const rewriting = new Rewriting(superseded);
    const repairs = [...messages];
    const undo: UndoneContent[] = [];
    const removed: UndoneMessage[] = [];
    const changing = new Set([...edits.keys(), ...rewriting.indexes, ...again.keys()]);
    for (const index of [...changing].sort((one, other) => one - other)) {
      const { content } = given[index]!;
      const changed = rewriting.apply(index, content, edits.get(index), again.get(index));
      const message = messages[index]!;
      if (again.has(index) && (changed as unknown[]).length === 0) {
        removed.push({ index, message });
        continue;
      }
      const repaired = withContent(message, given[index]!, changed);
      repairs[index] = repaired;
      undo.push(...undoOf(index, message, repaired));
    }
    const report = reportOf(raw.report() as CoreReport, superseded, rewriting, [
      ...removed,
      ...undo,
    ]);
    const isGone = new Set(removed.map(({ index }) => index));
    return { messages: repairs.filter((_, at) => !isGone.has(at)), report };
  } catch (error) {
    throw thrown(error, MACHINE);
  } finally {
    raw.free();
  }
}

/** Tells the core of the results of a message that go, since their calls have others. */
function tellResultsAgain(
  blocks: Blocks,
  content: unknown,
  index: number,
  gone: ReadonlySet<number>,
): void {
  for (const at of gone) {
    const { content: output } = (content as MessagePart[])[at]!;
    addText(blocks.raw, textOf(output), 0, TextPlace.WholeContent);
    blocks.raw.resultAgain(index);
  }
}

/**
 * Repairs the messages of a history one by one, each as it is added, at the cost of that message.
 * Older messages are never rewritten: `report.waiting` says what the options for these would do, and
 * {@link dedupeHistory} does it.
 *
 * Memory grows with the number of changes in the report and, with those options, with the number of
 * blocks and of copies of files; never with the texts of messages, except for the results that
 * `repeatedResults` compares with later ones.
 */
export class HistoryDeduper extends Machine {
  readonly #blocks: Blocks;
  readonly #undo: UndoneContent[] = [];
  #index = 0;
  #userIndex = 0;

  /** @throws `invalid_config`, naming the option in `detail.field`. */
  constructor(options: DedupeOptions = {}) {
    super(MACHINE, RawHistoryDeduper, plainOptions(MACHINE, options));
    this.#blocks = new Blocks(rawOf(this));
  }

  /**
   * Takes the next message of the history and returns it: the same object (`===`), or a shallow copy if it
   * is a user message with more than one block, or with its block not at the end, or holds a second result of
   * a call. A message that holds nothing but such results stays as it is: only {@link dedupeHistory} removes one.
   *
   * @throws `invalid_argument` for what is no object, `unknown_messages` for what is in no provider's shape; it
   * does not count then.
   */
  push<M extends ProviderMessage>(message: M): M {
    rawOf(this);
    const read: AnyMessage = readMessage(MACHINE, message, "message");
    const { role, content } = read;
    const isUsers = role === "user";
    const found = isUsers ? this.#blocks.find(content) : undefined;
    try {
      const gone = takeMessage(MACHINE, this.#blocks, read, this.#index);
      let edited: { content: unknown; from?: readonly number[] } = { content };
      if (found !== undefined) {
        this.#blocks.sendFound(found);
        const edits = this.#blocks.repair(this.#index, this.#userIndex);
        if (hasEdits(edits)) edited = applyEdits(content, edits);
      }
      if (gone.size > 0) {
        const left = withoutParts(edited.content, gone, edited.from);
        if ((left.content as unknown[]).length > 0) {
          edited = left;
          tellResultsAgain(this.#blocks, content, this.#index, gone);
        }
      }
      let result = message;
      if (edited.from !== undefined) {
        result = withContent(message, read, edited.content);
        this.#undo.push(...undoOf(this.#index, message, result));
      }
      if (isUsers) this.#userIndex++;
      this.#index++;
      return result;
    } catch (error) {
      throw fault(this, error);
    }
  }

  /** What was done so far, and what waits. */
  get report(): DedupeReport {
    const report = call(this, (raw: RawHistoryDeduper) => raw.report()) as CoreReport;
    return { ...report, files: [], results: [], undo: this.#undo.map(copyOfUndo) };
  }
}
