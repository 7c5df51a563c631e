import { RawAssembler } from "../glue/turnkeeper.js";
import {
  checkArray,
  checkObject,
  checkString,
  invalidArgument,
  invalidConfig,
  isObject,
  read,
  refusal,
  unreadable,
} from "./arguments.js";
import { sendTexts, sendUnits } from "./call-encoder.js";
import type {
  AssemblerOptions as KnownOptions,
  ContextItem,
  Diagnostic,
  Reference,
  ReferenceKind,
} from "./generated/shapes.js";
import { askHost, type AssemblerHost, type HostRequest } from "./assembler-host.js";
import { Machine, call, disposed, known, rawOf, restore } from "./machine.js";
import { asHost } from "./runtime.js";
import { readText } from "./text-reader.js";

const MACHINE = "ghost_block_assembler";
const KINDS: readonly ReferenceKind[] = ["file", "tool", "image", "macro"];
const FIELDS = 7;
/** What there is to {@link RawAssembler.begin}; the last ends what is under way. */
const enum Task {
  Prompt,
  Document,
  Skill,
  None,
}

/** The settings of an assembler; an unknown name is an error. */
export interface AssemblerOptions extends KnownOptions {
  /**
   * Counts the tokens of a text; left out, one for four UTF-16 code units and one for each Han,
   * Kana or Hangul character. Not part of a snapshot.
   */
  countTokens?: (text: string) => number;
}

/** A prompt with everything it refers to. */
export interface AssembledPrompt {
  /** The user's text, its directives carried out, followed by the block. */
  text: string;
  /** The block alone, `""` if there is none. */
  block: string;
  /** The same text in parts, with the images in the places of their references. */
  parts: (
    { type: "text"; text: string } | { type: "image"; alt: string; mediaType: string; data: string }
  )[];
  /** All items of the conversation, rules first, then in order of first appearance. */
  items: readonly ContextItem[];
  /** The keys of the items that the budget left out. */
  omitted: readonly string[];
  /** What there is to tell the user. */
  diagnostics: Diagnostic[];
}

/** Numbers of texts that wait in Wasm memory. */
interface RawPrompt {
  user?: number;
  block: number;
  images: { start: number; end: number; alt: string; mediaType: string; data: number }[];
  omitted: string[];
  diagnostics: Diagnostic[];
}

const CLOSE = "\n}\n</content_reference>";
const OPEN = "<content_reference>\n{";
const WHITE = " \t\r\n";

/** What happened while the host counted. */
interface Counting {
  failure?: { reason: unknown };
  isDisposed?: boolean;
}

/**
 * Gathers what the prompts of one conversation refer to, and appends it to the newest one as a
 * `<content_reference>` block.
 *
 * It reads nothing itself: `assemble` asks the host, for everything at once. Included files are
 * text and cannot act, unless `trustFiles` is set. Paths never lead out of the allowed roots, as
 * far as their text tells; symbolic links are the host's to check.
 *
 * Calls of `assemble`, `expandDocument` and `prepareSkill` that overlap are carried out one after
 * another. Every method throws `disposed` after {@link dispose}.
 *
 * @example
 * ```ts
 * const assembler = new GhostBlockAssembler({ root: "/work" });
 * const host = { readFile: async ({ path }) => readFile(`/work/${path}`, "utf8") };
 * const { text } = await assembler.assemble("Explain @[src/main.ts].", host);
 * ```
 */
export class GhostBlockAssembler extends Machine {
  readonly #countTokens: ((text: string) => number) | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  /** Ends the call that is under way. */
  #fail: ((error: unknown) => void) | undefined;
  /** While the host counts, and thereby runs within a call. */
  #counting: Counting | undefined;
  /** Reads the items of the last prompt before they change. */
  #settle: (() => void) | undefined;

  /**
   * @throws `invalid_config`, naming the option in `detail.field`, for one that is unknown, of the
   * wrong type or out of range.
   */
  constructor(options: AssemblerOptions) {
    const { countTokens, ...known } = optionsOf(options);
    super(MACHINE, RawAssembler, known);
    this.#countTokens = countTokens;
  }

  /**
   * Sets the rules, in the order in which the block has them; those before are forgotten. Their
   * references are replaced by content with every prompt.
   *
   * @throws `invalid_argument`
   */
  setRules(rules: readonly { name: string; content: string }[]): void {
    const texts: string[] = [];
    checkArray(MACHINE, rules, "rules");
    for (const [at, rule] of (rules as unknown[]).entries()) {
      const of = `rules[${at}]`;
      checkObject(MACHINE, rule, of);
      for (const name of ["name", "content"]) {
        const text = read(MACHINE, rule, name, of);
        checkString(MACHINE, text, `${of}.${name}`);
        texts.push(text);
      }
    }
    this.#call((raw) => sendTexts(MACHINE, texts, (length) => raw.setRules(length)));
  }

  /**
   * The references and directives of a prompt with their places, and what is wrong with it.
   * Synchronous, asks nobody, changes nothing: made for every key press. What is wrong is worked
   * out when `diagnostics` is first read, with the macros of that time; after {@link dispose} that
   * throws `disposed`.
   *
   * @throws `invalid_argument`
   */
  inspect(prompt: string): { references: Reference[]; diagnostics: Diagnostic[] } {
    checkString(MACHINE, prompt, "prompt");
    const references = this.#call((raw) => {
      const numbers = sendUnits(MACHINE, prompt, (length) => raw.inspect(length));
      return referencesOf(prompt, numbers, () => readText(raw.textPlace(0)));
    });
    let diagnostics: Diagnostic[] | undefined;
    const diagnose = (): Diagnostic[] =>
      this.#call(
        (raw) =>
          readJson(sendUnits(MACHINE, prompt, (length) => raw.diagnose(length))) as Diagnostic[],
      );
    return {
      references,
      get diagnostics() {
        return (diagnostics ??= diagnose());
      },
    };
  }

  /**
   * Carries out the prompt's directives, asks the host for what it refers to, and for today's
   * content of every file that the conversation referred to, and appends the block. What the host
   * does not give is an item with an error, never an exception.
   *
   * @throws `invalid_argument`; what `countTokens` throws; the signal's reason, after which the
   * conversation is as it was before.
   */
  assemble(
    prompt: string,
    host: AssemblerHost,
    options: { signal?: AbortSignal } = {},
  ): Promise<AssembledPrompt> {
    return this.#enqueue(Task.Prompt, "prompt", prompt, host, options, (raw) =>
      this.#finish(raw, prompt),
    );
  }

  /**
   * A document with the content of its references in their places, as with rules. Its macros stay
   * defined for the conversation.
   *
   * @throws As {@link assemble}.
   */
  async expandDocument(
    text: string,
    host: AssemblerHost,
    options: { signal?: AbortSignal } = {},
  ): Promise<{ content: string; diagnostics: Diagnostic[] }> {
    const { content, diagnostics } = await this.#enqueue(
      Task.Document,
      "text",
      text,
      host,
      options,
      skill,
    );
    return { content, diagnostics };
  }

  /**
   * A skill: `Description` and `Params` from its YAML front matter, and its body, references
   * replaced by their content.
   *
   * @throws As {@link assemble}.
   */
  prepareSkill(
    text: string,
    host: AssemblerHost,
    options: { signal?: AbortSignal } = {},
  ): Promise<{
    content: string;
    description: string;
    params: string[];
    diagnostics: Diagnostic[];
  }> {
    return this.#enqueue(Task.Skill, "text", text, host, options, skill);
  }

  /**
   * Rebuilds the items from an old conversation, oldest message first: those in the blocks that
   * its user messages end with, and the files that they refer to. Tools are never run for it.
   * Answers with the number of items there are then.
   *
   * @throws `invalid_argument`
   */
  scanHistory(messages: readonly { role: string; content: unknown }[]): number {
    const texts = eachOf(messages, userTexts).flat();
    this.#settle?.();
    return this.#call((raw) => {
      let items = this.items.filter(({ type }) => type !== "rule").length;
      for (const text of texts) {
        if (!/@[[{]|<\/content_reference>/.test(text)) continue;
        items = sendTexts(MACHINE, [text], (length) => raw.scanMessage(length));
      }
      return items;
    });
  }

  /**
   * How many leading messages of a request are, as JSON, those of the request that was given before
   * this one: what a provider's prompt cache can hold. 0 for the first one; not part of a snapshot.
   * It takes a few milliseconds for each megabyte of messages.
   *
   * @throws `invalid_argument`
   */
  samePrefix(messages: readonly object[]): number {
    const texts = eachOf(messages, (message) => String(JSON.stringify(message)));
    let same = 0;
    this.#call((raw) => {
      if (texts.length === 0) raw.compareMessage(true, 0);
      texts.forEach((text, at) => {
        same = sendTexts(MACHINE, [text], (length) => raw.compareMessage(at === 0, length));
      });
    });
    return same;
  }

  /** All items of the conversation, rules first, then in order of first appearance. */
  get items(): readonly ContextItem[] {
    return this.#call(readItems);
  }

  /**
   * The assembler as versioned bytes with a checksum, the same on every platform. They hold the
   * options, the rules, the macros and the content of all items.
   */
  snapshot(): Uint8Array {
    return this.#call((raw) => raw.snapshot());
  }

  /**
   * An assembler that goes on as if it had never stopped.
   *
   * @param options `countTokens`, which no snapshot holds.
   * @throws `snapshot_corrupt` for bytes that are cut, altered or no snapshot, `wrong_machine` for
   * another machine's, `snapshot_version` for those of a newer version, `invalid_argument` for
   * what is not a `Uint8Array`.
   */
  static restore(
    snapshot: Uint8Array,
    options: Pick<AssemblerOptions, "countTokens"> = {},
  ): GhostBlockAssembler {
    const given = optionsOf(options as AssemblerOptions);
    return restore(MACHINE, RawAssembler, snapshot, () => make(given));
  }

  /** Frees the assembler's memory and ends a call that is under way; a second time does nothing. */
  override dispose(): void {
    if (this.#counting) {
      // Its memory is in use until the count is over.
      this.#counting.isDisposed = true;
      this.#counting.failure ??= { reason: disposed(MACHINE) };
      return;
    }
    try {
      this.#settle?.();
    } catch {
      // Of an object that is poisoned there is nothing to read.
    }
    super.dispose();
    this.#fail?.(disposed(MACHINE));
  }

  #call<T>(work: (raw: RawAssembler) => T): T {
    rawOf(this);
    if (this.#counting) {
      const must = "countTokens must not call the assembler that it counts for";
      throw refusal("wrong_order", MACHINE, undefined, must);
    }
    return call(this, work);
  }

  /** Starts the work once all that was asked for before has ended. */
  async #enqueue<T>(
    task: Task,
    field: string,
    text: string,
    host: AssemblerHost,
    options: { signal?: AbortSignal },
    finish: (raw: RawAssembler) => T,
  ): Promise<T> {
    rawOf(this);
    checkString(MACHINE, text, field);
    checkObject(MACHINE, host, "host");
    if (typeof read(MACHINE, host, "readFile", "host") !== "function") {
      throw invalidArgument(MACHINE, "host.readFile", "must be a function");
    }
    checkObject(MACHINE, options, "options");
    const signal = read(MACHINE, options, "signal", "options") as AbortSignal | undefined;
    if (signal && typeof signal.addEventListener !== "function") {
      throw invalidArgument(MACHINE, "options.signal", "must be an AbortSignal");
    }
    const before = this.#queue;
    const turn = this.#drive(before, task, text, host, signal, finish);
    const ended = turn.catch(() => {});
    // One that is aborted while it waits ends at once, and what is under way goes on.
    this.#queue = before.then(() => ended);
    return turn;
  }

  /** Hands requests out and answers in, until everything is there. */
  #drive<T>(
    before: Promise<unknown>,
    task: Task,
    text: string,
    host: AssemblerHost,
    signal: AbortSignal | undefined,
    finish: (raw: RawAssembler) => T,
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let isUnderWay = false;
      let isOver = false;
      let isDue = false;
      const end = (): boolean => {
        if (isOver) return false;
        isOver = true;
        if (isUnderWay) this.#fail = undefined;
        signal?.removeEventListener("abort", onAbort);
        return true;
      };
      const fail = (error: unknown): void => {
        if (end()) reject(error);
      };
      const guarded = (work: (raw: RawAssembler) => void): void => {
        if (isOver) return;
        try {
          this.#call(work);
        } catch (error) {
          fail(error);
        }
      };
      const onAbort = (): void => {
        if (isUnderWay && this.#counting) {
          // The prompt is given up when the count is over.
          this.#counting.failure ??= { reason: signal!.reason };
          return;
        }
        if (isUnderWay) guarded((raw) => raw.begin(Task.None, 0));
        fail(signal!.reason);
      };
      const pump = (): void => {
        isDue = false;
        guarded((raw) => {
          const place = raw.takeRequests();
          if (place.length === 0) {
            const result = finish(raw);
            if (end()) resolve(result);
            return;
          }
          for (const request of readJson(place) as HostRequest[]) {
            // The host may have aborted in answer to the one before.
            if (isOver) return;
            void askHost(host, request).then(([answer, ...texts]) =>
              guarded((raw) => {
                sendTexts(MACHINE, texts, (length) => raw.answer(request.id, answer, length));
                // Answers that come together are looked at together.
                if (!isDue) queueMicrotask(pump);
                isDue = true;
              }),
            );
          }
        });
      };
      if (signal?.aborted) return fail(signal.reason);
      signal?.addEventListener("abort", onAbort);
      void before.then(() => {
        if (isOver) return;
        isUnderWay = true;
        this.#fail = fail;
        guarded((raw) => sendTexts(MACHINE, [text], (length) => raw.begin(task, length)));
        pump();
      });
    });
  }

  #finish(raw: RawAssembler, prompt: string): AssembledPrompt {
    this.#settle?.();
    const flat = this.#counted((count) => readJson(raw.finishPrompt(count)) as RawPrompt);
    const shelf = (number: number): string => readText(raw.textPlace(number));
    const { omitted, diagnostics } = flat;
    const user = flat.user === undefined ? withoutBlock(prompt) : shelf(flat.user);
    const block = shelf(flat.block);
    const joined = (text: string): string => (text && block ? `${text}\n\n${block}` : text + block);
    const parts: AssembledPrompt["parts"] = [];
    let from = 0;
    for (const { start, end, alt, mediaType, data } of flat.images) {
      if (from < start) parts.push({ type: "text", text: user.slice(from, start) });
      parts.push({ type: "image", alt, mediaType, data: shelf(data) });
      from = end;
    }
    const rest = joined(user.slice(from));
    if (rest !== "" || parts.length === 0) parts.push({ type: "text", text: rest });
    let items: readonly ContextItem[] | undefined;
    const settle = (): readonly ContextItem[] => {
      if (items === undefined) {
        items = this.#call(readItems);
        this.#settle = undefined;
      }
      return items;
    };
    // Their content comes out of Wasm memory only for whoever looks, or before it changes.
    this.#settle = settle;
    return {
      text: joined(user),
      block,
      parts,
      get items() {
        return settle();
      },
      omitted,
      diagnostics,
    };
  }

  /** Lends the host's counter, whose errors are its own and no fault of the module. */
  #counted<T>(work: (count: ((text: string) => number | undefined) | undefined) => T): T {
    const count = this.#countTokens;
    const state: Counting = {};
    const counted = (text: string): number | undefined => {
      if (state.failure) return undefined;
      this.#counting = state;
      try {
        const tokens: unknown = asHost(() => count!(text));
        if (typeof tokens === "number" && tokens >= 0) return state.failure ? undefined : tokens;
        throw invalidArgument(MACHINE, "countTokens", "must answer with a number of at least 0");
      } catch (reason) {
        state.failure ??= { reason };
        return undefined;
      } finally {
        this.#counting = undefined;
      }
    };
    try {
      return work(count && counted);
    } catch (error) {
      if (state.failure) this.#fail?.(state.failure.reason);
      if (state.isDisposed) this.dispose();
      throw error;
    }
  }
}

/** For {@link restore}. */
function make(options: AssemblerOptions): GhostBlockAssembler {
  return new GhostBlockAssembler(options);
}

/** The options, each read once. @throws `invalid_config` */
function optionsOf(options: AssemblerOptions): AssemblerOptions {
  try {
    if (!isObject(options) || Array.isArray(options)) {
      throw invalidConfig(MACHINE, "options", "must be an object");
    }
    const given: AssemblerOptions = { ...options };
    const { countTokens } = given;
    if (countTokens !== undefined && typeof countTokens !== "function") {
      throw invalidConfig(MACHINE, "countTokens", "must be a function");
    }
    return given;
  } catch (error) {
    throw known(error, MACHINE, "options");
  }
}

/**
 * The messages without the block that a user message, or a text part of one, ends with. Messages
 * without one are the same objects; the others are copies that differ in nothing else. A message
 * that is nothing but a block stays, since no message may be empty. Where the content is a string,
 * nothing may stand behind the block.
 *
 * @throws `invalid_argument`
 */
export function stripGhostBlocks<M extends { role: string; content: unknown }>(
  messages: readonly M[],
): M[] {
  return eachOf(messages, (message) => {
    if (message.role !== "user") return message;
    const { content } = message;
    if (typeof content === "string") {
      const text = withoutBlock(content);
      return text === content || text === "" ? message : { ...message, content: text };
    }
    if (!Array.isArray(content)) return message;
    const parts = content as { type?: unknown; text?: unknown }[];
    // The host's environment may stand behind it.
    for (let at = parts.length - 1; at >= 0; at--) {
      const part = parts[at];
      if (part?.type !== "text" || typeof part.text !== "string") continue;
      const text = withoutBlock(part.text);
      if (text === part.text) continue;
      if (text === "" && parts.length === 1) return message;
      const rest = text === "" ? [] : [{ ...part, text }];
      return { ...message, content: [...parts.slice(0, at), ...rest, ...parts.slice(at + 1)] };
    }
    return message;
  });
}

/** As `split` in `src/ghost_block/block.rs`, without a copy of the text into Wasm memory. */
function withoutBlock(text: string): string {
  let end = text.length;
  while (end > 0 && WHITE.includes(text[end - 1]!)) end--;
  const trimmed = text.slice(0, end);
  if (!trimmed.endsWith(CLOSE)) return text;
  const start = trimmed.lastIndexOf(OPEN);
  if (start === 0) return "";
  return start > 0 && trimmed.slice(start - 2, start) === "\n\n" ? text.slice(0, start - 2) : text;
}

/** What `look` makes of each message. @throws `invalid_argument` */
function eachOf<M, T>(messages: readonly M[], look: (message: M) => T): T[] {
  checkArray(MACHINE, messages, "messages");
  return (messages as readonly M[]).map((message, at) => {
    const of = `messages[${at}]`;
    checkObject(MACHINE, message, of);
    try {
      return look(message);
    } catch (error) {
      throw unreadable(MACHINE, of, error);
    }
  });
}

/** The texts of a user message. */
function userTexts(message: { role: string; content: unknown }): string[] {
  if (message.role !== "user") return [];
  const { content } = message;
  if (typeof content === "string") return [content];
  if (!Array.isArray(content)) return [];
  return (content as { type?: unknown; text?: unknown }[]).flatMap((part) =>
    part?.type === "text" && typeof part.text === "string" ? [part.text] : [],
  );
}

function readItems(raw: RawAssembler): readonly ContextItem[] {
  const items = readJson(raw.items()) as {
    type: ContextItem["type"];
    key: string;
    content?: number;
    error?: string;
    args?: string;
  }[];
  return items.map(({ type, key, content, error, args }) => ({
    type,
    key,
    ...(content !== undefined && { content: readText(raw.textPlace(content)) }),
    ...(error !== undefined && { error }),
    ...(args !== undefined && { args: JSON.parse(args) as object }),
  }));
}

function skill(raw: RawAssembler) {
  const { content, ...rest } = readJson(raw.finishSkill()) as {
    content: number;
    description: string;
    params: string[];
    diagnostics: Diagnostic[];
  };
  return { content: readText(raw.textPlace(content)), ...rest };
}

/** The references of a prompt; those names that do not stand in it one by one are in `names`. */
function referencesOf(prompt: string, numbers: Uint32Array, names: () => string): Reference[] {
  const references: Reference[] = [];
  let shelf: string | undefined;
  let from = 0;
  for (let at = 0; at < numbers.length; at += FIELDS) {
    const kind = KINDS[numbers[at]!]!;
    const reference: Reference = { kind, start: numbers[at + 1]!, end: numbers[at + 2]! };
    const startLine = numbers[at + 3]!;
    const endLine = numbers[at + 4]!;
    const length = numbers[at + 5]!;
    const nameAt = numbers[at + 6]!;
    if (startLine > 0) reference.startLine = startLine;
    if (endLine > 0) reference.endLine = endLine;
    if (nameAt > 0 && length > 0) {
      reference.name = prompt.slice(nameAt, nameAt + length);
    } else if (length > 0) {
      shelf ??= names();
      const name = shelf.slice(from, (from += length));
      if (kind === "tool") reference.name = name;
      else reference.path = name;
    }
    references.push(reference);
  }
  return references;
}

/** Plain data that waits as JSON in Wasm memory. */
function readJson(place: Uint32Array): unknown {
  return JSON.parse(readText(place));
}
