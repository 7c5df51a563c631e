import { RawHistoryDeduper } from "../../glue/turnkeeper.js";
import {
  checkArray,
  checkObject,
  checkString,
  copyOf,
  invalidArgument,
  invalidConfig,
  isObject,
  isArray,
  optional,
} from "../boundary/arguments.js";
import { type BlockStyle, Blocks, type EnvironmentChange } from "./dedupe-blocks.js";
import { applyEdits, hasEdits } from "./dedupe-edits.js";
import { FileReads, type RepeatedFileRead, replaceByNotice } from "./dedupe-reads.js";
import type { TurnkeeperError } from "../boundary/errors.js";
import type { DedupeReport as CoreReport, DedupeOptions } from "../boundary/generated/shapes.js";
import {
  DISPOSE,
  Machine,
  call,
  disposed,
  known,
  make,
  mixedFault,
  rawOf,
} from "../boundary/machine.js";
import { type PlainValue, plainValue } from "../boundary/plain-value.js";

export type { EnvironmentChange, RepeatedFileRead };

const MACHINE = "history_deduper";

/** Which texts of a content are blocks. */
export interface BlockOptions {
  /** The names of the tags; `["environment_details"]`. Bare details get the first. */
  tags?: string[];
  /** Whether blocks count that end another text part or a tool result's last text; `false`. */
  embedded?: boolean;
}

/** The settings of {@link withEnvironment}. */
export interface EnvironmentOptions extends BlockOptions {
  /** What becomes of a block that is there: `replace` (default) or `keep`. */
  onExisting?: "replace" | "keep";
  /**
   * White space before the block, `"\n\n"`: a model takes what follows without any for the end of
   * what the user said.
   */
  separator?: string;
  /**
   * Is told what gave way, after it did. Not called if nothing that was there gave way or moved.
   */
  onChange?(change: EnvironmentChange): void;
}

/** An item of a {@link TurnStack}. */
export interface TurnStackItem<T> {
  /** The content of a user message: a string or an array of parts. */
  userContent: T;
  /** Whether its environment is to list the files. */
  includeFileDetails: boolean;
  /** Whether it holds a block already; only an item without one gets one. */
  hasEnvironment: boolean;
}

/** What was done to a history. */
export interface DedupeReport extends Omit<CoreReport, "fileReads"> {
  /** The file contents that gave way to a notice; they are not counted in the figures above. */
  fileReads: RepeatedFileRead[];
}

interface Message {
  role?: unknown;
  content?: unknown;
}

/**
 * The content of a user message with `details` as its one block, at the end: the last part of an
 * array, which begins with the separator, or the end of a string, after the separator. The content
 * that is given does not change; if nothing has to, it is handed back as it is.
 *
 * @param content A string, or an array of parts such as `{ type: "text", text }`.
 * @param details The state of the environment, with its tags or bare. White space around it goes;
 * a tag quoted within it loses its `<` to `&lt;`, for it would end the block.
 * @param options `onExisting`: `"replace"` (default) lets the block replace one that is
 * there, `"keep"` leaves that one, and moves it to the end.
 * @throws `invalid_argument` for another content or other details, `invalid_config` for options,
 * and whatever `onChange` throws.
 */
export function withEnvironment<C>(content: C, details: string, options?: EnvironmentOptions): C {
  checkContent(content, "content");
  checkString(MACHINE, details, "details");
  const blocks = blocksOf(options, PLACEMENT_OPTIONS);
  const { onChange, ...style } = placementOf(options);
  let change: EnvironmentChange | undefined;
  const told = onChange && ((what: EnvironmentChange) => (change = what));
  let result;
  try {
    result = blocks.withBlock(content, details, { ...style, onChange: told }) as C;
  } catch (error) {
    throw released(error, blocks, "content");
  }
  // Called last, so that whatever it throws is the host's own affair.
  if (change !== undefined) onChange?.(change);
  return result;
}

function placementOf(options: EnvironmentOptions = {}): BlockStyle {
  let read;
  try {
    const { onExisting = "replace", separator = "\n\n", onChange } = options;
    read = { onExisting, separator, onChange };
  } catch (error) {
    throw known(error, MACHINE, "options");
  }
  const { onExisting, separator, onChange } = read;
  if (onExisting !== "replace" && onExisting !== "keep") {
    throw invalidConfig(MACHINE, "onExisting", "must be replace or keep");
  }
  if (typeof separator !== "string" || separator.trim() !== "") {
    throw invalidConfig(MACHINE, "separator", "must be white space");
  }
  if (onChange !== undefined && typeof onChange !== "function") {
    throw invalidConfig(MACHINE, "onChange", "must be a function");
  }
  return { keepsExisting: onExisting === "keep", separator, onChange };
}

/**
 * The content without its blocks, for a stack or a queue; it may be empty then. Content without
 * one is handed back as it is.
 *
 * @throws `invalid_argument` for what is neither a string nor an array, `invalid_config` for
 * options.
 */
export function stripEnvironment<C>(content: C, options?: BlockOptions): C {
  checkContent(content, "content");
  const blocks = blocksOf(options);
  try {
    return blocks.strip(content) as C;
  } catch (error) {
    throw released(error, blocks, "content");
  }
}

/**
 * Leaves one block in each user message, at the end, and says what was done. The messages that are
 * given do not change; those that need no repair are handed back as they are (`===`), the others
 * are shallow copies.
 *
 * Costs about as much as to look at the end of each text; only texts of messages that need repair
 * are read. With `recent`, `sections` or `repeatedFileReads` blocks and file contents are read, too.
 *
 * @throws `invalid_config`, naming the option in `detail.field`, and `invalid_argument`, naming the
 * message as `messages[3]`, for one that is no object or cannot be read.
 */
export function dedupeHistory<M extends object>(
  messages: readonly M[],
  options?: DedupeOptions,
): { messages: M[]; report: DedupeReport } {
  checkArray(MACHINE, messages, "messages");
  const given = messages as readonly M[];
  const raw = make(MACHINE, RawHistoryDeduper, plainOptions(options));
  let at = 0;
  try {
    const blocks = new Blocks(raw);
    const reads = new FileReads(blocks);
    if (blocks.settings.needsEveryBlock) {
      let users = 0;
      for (; at < given.length; at++) if ((given[at] as Message)?.role === "user") users++;
      raw.expectUserMessages(users);
    }
    let userIndex = 0;
    for (at = 0; at < given.length; at++) {
      const message = given[at] as Message;
      if (!isObject(message)) {
        throw invalidArgument(MACHINE, `messages[${at}]`, "must be an object");
      }
      const { role } = message;
      if (role === "user") {
        if (blocks.send(message.content)) blocks.read(at, userIndex);
        userIndex++;
      }
    }
    const repairs = copyOf(given);
    const edits = raw.finish();
    for (let next = 0; next < edits.length;) {
      at = edits[next]!;
      const { content } = given[at] as Message;
      const edited = applyEdits(content, edits, next + 1);
      repairs[at] = { ...given[at]!, content: edited.content };
      next = edited.end;
    }
    // What a repair has moved or taken away must not make a difference the second time.
    if (reads.areWatched) {
      for (at = 0; at < given.length; at++) {
        const { role, content } = repairs[at] as Message;
        reads.take(role, content, at);
      }
    }
    const report = raw.report() as CoreReport;
    const fileReads = report.fileReads.map((read) => replaceByNotice(repairs, read));
    return { messages: repairs, report: { ...report, fileReads } };
  } catch (error) {
    throw known(error, MACHINE, `messages[${at}]`);
  } finally {
    raw.free();
  }
}

/**
 * Repairs the messages of a history one by one, each as it is added, at the cost of that message.
 * Older messages are never rewritten: what `recent`, `sections` and `repeatedFileReads` would do
 * to them waits, in `report.waiting`, for {@link dedupeHistory}.
 *
 * Memory grows with the number of changes in the report and, with these three options, with the
 * number of blocks and of file reads; never with the texts of other messages.
 */
export class HistoryDeduper extends Machine {
  readonly #blocks: Blocks;
  readonly #reads: FileReads;
  #index = 0;
  #userIndex = 0;

  /** @throws `invalid_config`, naming the option in `detail.field`. */
  constructor(options?: DedupeOptions) {
    super(MACHINE, RawHistoryDeduper, plainOptions(options));
    this.#blocks = new Blocks(rawOf(this));
    this.#reads = new FileReads(this.#blocks);
  }

  /**
   * Takes the next message of the history and hands it back: the same object (`===`) unless it is
   * a user message with blocks too many or not at its end, and then a shallow copy.
   *
   * @throws `invalid_argument` for what is no object or cannot be read; it does not count then.
   */
  push<M extends object>(message: M): M {
    rawOf(this);
    try {
      checkObject(MACHINE, message, "message");
      const { role, content } = message as Message;
      let result = message;
      if (role === "user") {
        const blocks = this.#blocks;
        if (blocks.send(content)) {
          const edits = blocks.repair(this.#index, this.#userIndex);
          if (hasEdits(edits)) result = { ...message, content: applyEdits(content, edits).content };
        }
      }
      if (this.#reads.areWatched) this.#reads.take(role, (result as Message).content, this.#index);
      if (role === "user") this.#userIndex++;
      this.#index++;
      return result;
    } catch (error) {
      throw mixedFault(this, error, "message");
    }
  }

  /** What was done so far, and what waits. */
  get report(): DedupeReport {
    return call(this, (raw: RawHistoryDeduper) => raw.report()) as DedupeReport;
  }
}

/** The stack of a host that loops over turns; the last item pushed is the first popped. */
export class TurnStack<T> {
  readonly #blocks: Blocks;
  #items: TurnStackItem<T>[] | undefined = [];

  /** @throws `invalid_config` for tags that are none. */
  constructor(options?: BlockOptions) {
    this.#blocks = blocksOf(options);
  }

  /**
   * Puts an item on top. `hasEnvironment`, left out, is read off the content.
   *
   * @throws `invalid_argument`, naming the field.
   */
  push(item: { userContent: T; includeFileDetails: boolean; hasEnvironment?: boolean }): void {
    const items = this.#get();
    checkObject(MACHINE, item, "item");
    try {
      const { userContent, includeFileDetails, hasEnvironment } = item;
      checkContent(userContent, "item.userContent");
      if (typeof includeFileDetails !== "boolean") {
        throw invalidArgument(MACHINE, "item.includeFileDetails", "must be a boolean");
      }
      const has = optional(MACHINE, hasEnvironment, "boolean", "item.hasEnvironment");
      items.push({
        userContent,
        includeFileDetails,
        hasEnvironment: has ?? this.#blocks.strip(userContent) !== userContent,
      });
    } catch (error) {
      throw released(error, this.#blocks, "item");
    }
  }

  /** Takes the item on top, if there is one. */
  pop(): TurnStackItem<T> | undefined {
    return this.#get().pop();
  }

  /** How many items there are. */
  get length(): number {
    return this.#get().length;
  }

  /** Lets go of the items. Every other call throws `disposed` then. */
  dispose(): void {
    this.#items = undefined;
    this.#blocks.release();
  }

  /** {@link dispose}, for `using`. */
  [DISPOSE](): void {
    this.dispose();
  }

  #get(): TurnStackItem<T>[] {
    if (this.#items !== undefined) return this.#items;
    throw disposed(MACHINE);
  }
}

/** The options of {@link withEnvironment} that do not say what a block is. */
const PLACEMENT_OPTIONS = ["onExisting", "separator", "onChange"];

const usual = new Blocks();
/** The blocks of the last call that was told what they are; to look at options costs more than most calls. */
let last = usual;

function blocksOf(options: object | undefined, others: readonly string[] = []): Blocks {
  if (options === undefined) return usual;
  try {
    if (!isObject(options) || Array.isArray(options)) {
      throw invalidConfig(MACHINE, "options", "must be an object");
    }
    for (const name of Object.keys(options)) {
      if (name !== "tags" && name !== "embedded" && !others.includes(name)) {
        throw invalidConfig(MACHINE, name, "is not an option");
      }
    }
    const { tags, embedded } = options as BlockOptions;
    if (tags === undefined && (embedded === undefined || embedded === false)) return usual;
    if (isSame(last, tags, embedded)) return last;
    const raw = make(MACHINE, RawHistoryDeduper, plainOptions({ tags, embedded }));
    // Whoever holds these blocks still, such as a stack, has them make another deduper.
    last.release();
    return (last = new Blocks(raw));
  } catch (error) {
    throw known(error, MACHINE, "options");
  }
}

function isSame({ settings }: Blocks, tags: unknown, embedded: unknown): boolean {
  const wanted = tags ?? usual.settings.tags;
  return (
    settings.isEmbedded === (embedded ?? false) &&
    isArray(wanted) &&
    wanted.length === settings.tags.length &&
    settings.tags.every((tag, at) => tag === wanted[at])
  );
}

function plainOptions(options: object | undefined): PlainValue {
  return options === undefined ? {} : plainValue(MACHINE, "options", options, "invalid_config");
}

function checkContent(content: unknown, field: string): void {
  if (typeof content !== "string" && !isArray(content)) {
    throw invalidArgument(MACHINE, field, "must be a string or an array");
  }
}

/** After a trap the deduper cannot be used; the next call makes another. */
function released(error: unknown, blocks: Blocks, field: string): TurnkeeperError {
  const typed = known(error, MACHINE, field);
  if (typed.code === "poisoned") blocks.release(true);
  return typed;
}
