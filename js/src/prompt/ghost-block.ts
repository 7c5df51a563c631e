import { RawAssembler, Work } from "../../glue/turnkeeper.js";
import {
  checkArray,
  checkObject,
  checkOptions,
  checkString,
  invalidArgument,
  optional,
  optionalSignal,
  refusal,
} from "../boundary/arguments.js";
import { sendTexts } from "../boundary/call-encoder.js";
import type { TurnkeeperError } from "../boundary/errors.js";
import type {
  ContextItem,
  Diagnostic,
  PreparedSkill,
  PreprocessedText,
  RawPrompt,
  Reference,
  ResolvedPrompt,
  ScannedHistory,
} from "../boundary/generated/shapes.js";
import { sendText } from "../boundary/text-buffer.js";
import { Machine, call, disposed, rawOf, restore, type Snapshot } from "../boundary/machine.js";
import { type AssembledPrompt, readPrompt } from "./assembled-prompt.js";
import { lent } from "./counting.js";
import type { AssemblerHost } from "./host.js";
import { type AssemblerOptions, readOptions } from "./options.js";
import { type Task, Tasks } from "./tasks.js";
import { readMessages } from "../messages/any.js";
import type { ProviderMessage } from "../messages/messages.js";
import { userTexts } from "./strip-ghost-blocks.js";

const MACHINE = "ghost_block_assembler";

/**
 * The longest text, in UTF-16 code units, that is searched for references. The references can take many times
 * the memory of the text, and a Wasm module has 4 GB.
 */
const LONGEST_READ = 16_777_216;

/**
 * Gathers what the prompts of one conversation refer to, and appends it to the newest one as a
 * `<content_reference>` block.
 *
 * It reads nothing itself: `assemble` asks the host, for everything at once. Included files are plain
 * text: directives, references and tool calls in them do nothing, unless `trustFiles` is set. Paths never lead out of the allowed roots, as
 * far as their text tells; symbolic links are the host's to check.
 *
 * Calls of `assemble`, `expandDocument` and `prepareSkill` may overlap. None waits for another: each takes
 * effect when all that it asked the host for is there, and the one that ends later has what the earlier
 * one brought. Up to 100 may be under way at once. Every method throws `disposed` after {@link dispose}.
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
  readonly #tasks: Tasks;
  #historyDiagnostics: Diagnostic[] = [];

  /**
   * @throws `invalid_config`, naming the option in `detail.field`, for one that is unknown, of the
   * wrong type or out of range.
   */
  constructor(options: AssemblerOptions) {
    const { countTokens, plain } = readOptions(options);
    super(MACHINE, RawAssembler, plain);
    this.#countTokens = countTokens;
    this.#tasks = new Tasks((work) => call(this, work));
  }

  /**
   * Sets the rules: texts that each block begins with, such as a project's conventions. They replace
   * those that were set before, and the block has them in this order. Their references are replaced by
   * content with every prompt; with a `path`, they are relative to the rule's file, and then to the root.
   *
   * @throws `invalid_argument`; `limit_exceeded` for contents that have more than 16,777,216 UTF-16 code units
   * together.
   */
  setRules(rules: readonly { name: string; content: string; path?: string }[]): void {
    const names: string[] = [];
    const paths: string[] = [];
    const contents: string[] = [];
    let units = 0;
    checkArray(MACHINE, rules, "rules");
    for (const [at, rule] of rules.entries()) {
      const of = `rules[${at}]`;
      checkObject(MACHINE, rule, of);
      const { name, content, path } = rule as Record<"name" | "content" | "path", unknown>;
      checkString(MACHINE, name, `${of}.name`);
      checkReadable(content, `${of}.content`);
      names.push(name);
      paths.push(optional(MACHINE, path, "string", `${of}.path`) ?? "");
      contents.push(content);
      units += content.length;
    }
    if (units > LONGEST_READ) throw tooLong("rules");
    this.#call((raw) =>
      sendTexts(MACHINE, contents, (length) => raw.setRules(names, paths, length)),
    );
  }

  /**
   * The references and directives of a prompt with their places, and what is wrong with it.
   * It is synchronous, asks the host for nothing and changes nothing, so it can be called at every key
   * press. What is wrong is worked out when `diagnostics` is first read, with the macros of that time;
   * after {@link dispose} that throws `disposed`. Of each of the two kinds, the first 100,000 are told.
   *
   * @throws `invalid_argument`; `limit_exceeded` as {@link assemble}.
   */
  inspect(prompt: string): { references: Reference[]; diagnostics: Diagnostic[] } {
    checkReadable(prompt, "prompt");
    const send = (work: (raw: RawAssembler, units: number) => unknown): unknown =>
      this.#call((raw) => sendText(prompt, (units) => work(raw, units)));
    let diagnostics: Diagnostic[] | undefined;
    return {
      references: send((raw, units) => raw.inspect(units)) as Reference[],
      get diagnostics() {
        return (diagnostics ??= send((raw, units) => raw.diagnose(units)) as Diagnostic[]);
      },
    };
  }

  /**
   * Carries out the prompt's directives, asks the host for what it refers to and for the current content
   * of every file that the conversation has referred to, and appends the block. What the host does not
   * give is an item with an error, never an exception.
   *
   * @param options `signal` ends the call: it rejects with the signal's reason.
   * @throws `invalid_argument`; `limit_exceeded` for a prompt of more than 16,777,216 UTF-16 code units, and for
   * more than 100 calls at once; what `countTokens` throws; the signal's reason, after which the conversation
   * is as it was before.
   */
  assemble(
    prompt: string,
    host: AssemblerHost,
    options: { signal?: AbortSignal } = {},
  ): Promise<AssembledPrompt> {
    return this.#run(host, options, {
      field: "prompt",
      text: prompt,
      work: Work.Prompt,
      finish: (raw) => this.#finish(raw),
    });
  }

  /**
   * The items that a prompt refers to, with their content, and its problems. No turn is counted, no block is
   * made, and the conversation is as it was before; its rules and its earlier items are left out.
   *
   * @throws As {@link assemble}.
   */
  resolve(
    prompt: string,
    host: AssemblerHost,
    options: { signal?: AbortSignal } = {},
  ): Promise<{ items: readonly ContextItem[]; diagnostics: Diagnostic[] }> {
    return this.#run(host, options, {
      field: "prompt",
      text: prompt,
      work: Work.LonePrompt,
      finish: (raw) => raw.finishResolving() as ResolvedPrompt,
    });
  }

  /**
   * A text with its macros and conditions carried out, under the macros of the conversation and those given.
   * Nothing is read, references stay as they are written, and no macro is defined for later.
   *
   * @throws `invalid_argument`; `limit_exceeded` as {@link assemble}.
   */
  preprocess(
    text: string,
    macros: Readonly<Record<string, string>> = {},
  ): { text: string; diagnostics: Diagnostic[] } {
    checkReadable(text, "text");
    checkObject(MACHINE, macros, "macros");
    const values = Object.entries(macros);
    for (const [name, value] of values) checkReadable(value, `macros.${name}`);
    const texts = [text, ...values.map(([, value]) => value)];
    const names = values.map(([name]) => name);
    return this.#call(
      (raw) =>
        sendTexts(MACHINE, texts, (length) => raw.preprocess(names, length)) as PreprocessedText,
    );
  }

  /**
   * A document in which each reference is replaced by its content, as in rules. The macros that it defines
   * stay defined for the conversation.
   *
   * @throws As {@link assemble}.
   */
  async expandDocument(
    text: string,
    host: AssemblerHost,
    options: { signal?: AbortSignal } = {},
  ): Promise<{ content: string; diagnostics: Diagnostic[] }> {
    const { content, diagnostics } = await this.#run(host, options, {
      field: "text",
      text,
      work: Work.Document,
      finish: (raw) => raw.finishSkill() as PreparedSkill,
    });
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
  ): Promise<PreparedSkill> {
    return this.#run(host, options, {
      field: "text",
      text,
      work: Work.Skill,
      finish: (raw) => raw.finishSkill() as PreparedSkill,
    });
  }

  /**
   * Rebuilds the items from the messages of a conversation, oldest first, for example when it was saved
   * without a {@link snapshot}: the items in the blocks that its user messages end with, and the files
   * that these messages refer to. No tool is run for it. Returns how many items there are then. The messages may be
   * any provider's. A block may be in another spelling, as {@link stripGhostBlocks} has it; what looks like one
   * and cannot be read is in {@link historyDiagnostics}.
   *
   * @throws `invalid_argument`; `unknown_messages` for one in no provider's shape; `limit_exceeded` for a text as long as {@link assemble} refuses.
   */
  scanHistory(messages: readonly ProviderMessage[]): number {
    const texts = readMessages(MACHINE, messages)
      .flatMap(userTexts)
      .filter((text) => /@[[{]|<\/content_reference>/.test(text));
    for (const text of texts) checkReadable(text, "messages");
    return this.#call((raw) => {
      this.#historyDiagnostics = [];
      let count = 0;
      for (const some of inPieces(texts)) {
        const scanned = sendTexts(MACHINE, some, (length) => raw.scanHistory(length));
        const { items, diagnostics } = scanned as ScannedHistory;
        this.#historyDiagnostics.push(...diagnostics);
        count = items;
      }
      return count;
    });
  }

  /** The blocks that the last {@link scanHistory} could not read. Not part of a snapshot. */
  get historyDiagnostics(): readonly Diagnostic[] {
    rawOf(this);
    return [...this.#historyDiagnostics];
  }

  /** All items of the conversation, rules first, then in order of first appearance. */
  get items(): readonly ContextItem[] {
    return call(this, itemsOf);
  }

  /**
   * The macros that a prompt can use now, by name: the host's, and those that prompts, rules,
   * documents and skills have defined. A frozen copy.
   */
  get macros(): Readonly<Record<string, string>> {
    const macros = this.#call((raw) => raw.macros());
    return Object.freeze(macros as Record<string, string>);
  }

  /**
   * Takes the items with this key out of the conversation, and with them their content, until they
   * are referred to again; a rule, until {@link setRules} sets it again. A call that is under way
   * keeps what its own text refers to. In delta placement, the next block says that the item is
   * removed.
   *
   * @param key As {@link items} has it.
   * @returns Whether there was one.
   * @throws `invalid_argument`
   */
  forget(key: string): boolean {
    checkString(MACHINE, key, "key");
    return this.#call((raw) => raw.forget(key));
  }

  /**
   * The assembler as versioned bytes with a checksum, the same on every platform. They hold the
   * options, the rules, the macros and the content of all items.
   */
  snapshot(): Uint8Array & { readonly snapshotOf?: "ghost_block_assembler" } {
    return this.#call((raw) => raw.snapshot());
  }

  /**
   * An assembler that goes on as if it had never stopped.
   *
   * @param options `countTokens`, which no snapshot holds.
   * @throws `snapshot_corrupt`, `wrong_machine`, `snapshot_version`; `invalid_argument` for what is not bytes.
   */
  static restore(
    snapshot: Snapshot<"ghost_block_assembler">,
    options: Pick<AssemblerOptions, "countTokens"> = {},
  ): GhostBlockAssembler {
    const { countTokens } = readOptions(options as AssemblerOptions);
    return restore(MACHINE, RawAssembler, snapshot, () =>
      make({ root: "", ...(countTokens && { countTokens }) }),
    );
  }

  /** Frees the assembler's memory and ends a call that is under way; a second time does nothing. */
  override dispose(): void {
    super.dispose();
    this.#tasks.failAll(disposed(MACHINE));
  }

  /** Calls into the module. */
  #call<T>(work: (raw: RawAssembler) => T): T {
    return call(this, work);
  }

  async #run<T>(host: AssemblerHost, options: { signal?: AbortSignal }, task: Task<T>): Promise<T> {
    rawOf(this);
    checkReadable(task.text, task.field);
    checkObject(MACHINE, host, "host");
    if (typeof host.readFile !== "function") {
      throw invalidArgument(MACHINE, "host.readFile", "must be a function");
    }
    checkOptions(MACHINE, options, ["signal"]);
    const signal = optionalSignal(MACHINE, options.signal, "options.signal");
    return this.#tasks.run(task, host, signal);
  }

  #finish(raw: RawAssembler): AssembledPrompt {
    const countTokens = this.#countTokens;
    // An error of the host's counter is no fault of the module.
    const count =
      countTokens && lent(MACHINE, countTokens, (reason) => this.#tasks.failInHand(reason));
    const assembled = raw.finishPrompt(count) as RawPrompt;
    const { omitted, diagnostics } = assembled;
    return { ...readPrompt(assembled), items: itemsOf(raw), omitted, diagnostics };
  }
}

/** The UTF-16 code units of a history that cross together: its items are put in order once for each piece. */
const UNITS_AT_ONCE = 1 << 20;

/** Texts in pieces of some of them, of which there is one at least. */
function inPieces(texts: readonly string[]): string[][] {
  const pieces: string[][] = [[]];
  let units = 0;
  for (const text of texts) {
    units += text.length;
    if (units > UNITS_AT_ONCE) {
      pieces.push([]);
      units = text.length;
    }
    pieces.at(-1)!.push(text);
  }
  return pieces;
}

function itemsOf(raw: RawAssembler): readonly ContextItem[] {
  return raw.items() as ContextItem[];
}

/** @throws `invalid_argument`, and `limit_exceeded` for a text that is too long to look for references in it. */
function checkReadable(text: unknown, field: string): asserts text is string {
  checkString(MACHINE, text, field);
  if (text.length > LONGEST_READ) throw tooLong(field);
}

function tooLong(field: string): TurnkeeperError {
  const must = `must have at most ${LONGEST_READ} UTF-16 code units`;
  return refusal("limit_exceeded", MACHINE, field, must);
}

/** For {@link restore}. */
function make(options: AssemblerOptions): GhostBlockAssembler {
  return new GhostBlockAssembler(options);
}
