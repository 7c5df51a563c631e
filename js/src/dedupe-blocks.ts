// Which texts of a message may hold blocks, and what becomes of the message: the decision is made
// in the core, on the texts that `send` gives it.

import { RawHistoryDeduper } from "../glue/turnkeeper.js";
import type { RawMachine } from "./machine.js";
import { wasm } from "./runtime.js";
import { sendText } from "./text-buffer.js";

/** A part of a content, or what was given for one. */
export interface Part {
  type?: unknown;
  text?: unknown;
  content?: unknown;
}

/** What to look for, as a deduper's options have it. */
interface Rules {
  readonly tags: readonly string[];
  readonly readTools: readonly string[];
  readonly isEmbedded: boolean;
  /** Whether every block has to be looked at, even in a message that needs no repair. */
  readonly everyBlock: boolean;
}

const USUAL: Rules = {
  tags: ["environment_details"],
  readTools: [],
  isEmbedded: false,
  everyBlock: false,
};
/** Where a text stands. */
const enum Kind {
  Content,
  Part,
  Result,
}
/** What becomes of a part; any other is a new part at the end. */
const enum Action {
  Rewrite,
  Drop,
  Move,
}
type Crossing = [text: string, part: number, kind: Kind];
/** What there is to {@link Blocks.plan}. */
export const enum What {
  Repair,
  TakeIn,
  Strip,
  Replace,
  Keep,
}
/** What a plan for a fresh block says of it. */
const enum Fresh {
  Appends = 1,
  Follows = 2,
}
/** The plan for content without a block. */
const NOTHING = Uint32Array.of(Fresh.Appends, 0);
/** Code units. */
const enum Unit {
  Space = 0x20,
  Less = 0x3c,
  Greater = 0x3e,
  Delete = 0x7f,
}

/** Finds the blocks of contents, by the tags that it is made with. */
export class Blocks {
  readonly rules: Rules;
  readonly #opens: readonly string[];
  readonly #closes: readonly string[];
  /** Of the content that was sent: how many parts it has. */
  #parts = 0;
  /** Of the content that was sent: whether a part that was not sent is more than white space. */
  #hasMore = false;
  /** The place of the tag of the block that was made last. */
  #tag = 0;
  #raw: RawHistoryDeduper | undefined;

  /** Without a deduper, one with the usual tag is made when it is first needed. */
  constructor(raw?: RawHistoryDeduper) {
    this.rules = (raw?.rules() ?? USUAL) as Rules;
    const { tags } = this.rules;
    this.#opens = tags.map((tag) => `<${tag}>`);
    this.#closes = tags.map((tag) => `</${tag}>`);
    this.#raw = raw;
  }

  get raw(): RawHistoryDeduper {
    if (this.#raw === undefined) {
      wasm();
      this.#raw = new RawHistoryDeduper({ tags: this.rules.tags });
    }
    return this.#raw;
  }

  /** Lets go of the deduper, after a trap without freeing it; another is made when it is needed. */
  release(isTrapped = false): void {
    const raw: RawMachine | undefined = this.#raw;
    this.#raw = undefined;
    if (isTrapped) raw?.__destroy_into_raw?.();
    else raw?.free();
  }

  /** Exactly one element made of details. */
  #block(details: string): string {
    // Most details are a block already, and this is the fastest way to see it (Node 20): few of
    // them hold a bracket between their tags, and `startsWith` takes longer than `indexOf`.
    const quick = details.length - this.#closes[0]!.length;
    if (details.charCodeAt(0) === Unit.Less && details.indexOf("<", 1) === quick) {
      this.#tag = 0;
      if (this.#isTagged(details, 0)) return details;
    }
    details = details.trim();
    const found = this.rules.tags.findIndex((_, tag) => this.#isTagged(details, tag));
    this.#tag = Math.max(found, 0);
    const open = this.#opens[this.#tag]!;
    const close = this.#closes[this.#tag]!;
    let inside =
      found < 0 ? `\n${details}\n` : details.slice(open.length, details.length - close.length);
    for (const quoted of [open, close]) {
      inside = inside.replaceAll(quoted, `&lt;${quoted.slice(1)}`);
    }
    return open + inside + close;
  }

  #isTagged(details: string, tag: number): boolean {
    const open = this.#opens[tag]!;
    return details.indexOf(open) === 0 && details.endsWith(this.#closes[tag]!);
  }

  /**
   * Sends the texts that may hold blocks. Nothing is sent, and the answer is false, if the content
   * cannot need repair: it has no such text, or one, with one block at most, at its end.
   */
  send(content: unknown, always = this.rules.everyBlock): boolean {
    if (typeof content === "string") {
      if (!this.#ends(content) || !(always || this.#isRepeated(content))) return false;
      this.#cross([[content, 0, Kind.Content]], 1, false);
      return true;
    }
    if (!Array.isArray(content)) return false;
    const length = content.length;
    // One block at the end is as it should be, so the last part need not even be looked at.
    const end = always || this.rules.isEmbedded ? length : length - 1;
    let first = 0;
    while (first < end && this.#candidate(content[first] as Part) === undefined) first++;
    if (first >= end) return false;
    if (!always && first === length - 1 && !this.#isRepeated(textOf(content[first]) as string)) {
      return false;
    }
    let hasMore = false;
    const texts: Crossing[] = [];
    for (let at = 0; at < length; at++) {
      const part = content[at] as Part;
      const text = this.#candidate(part);
      if (text !== undefined)
        texts.push([text, at, part.type === "text" ? Kind.Part : Kind.Result]);
      else hasMore ||= !isBlank(part);
    }
    this.#cross(texts, length, hasMore);
    return true;
  }

  /** What becomes of the content that was sent; `at` is a message's place, or a tag's. */
  plan(what: What, at: number, user = 0): Uint32Array {
    return this.raw.plan(what, at, user, this.#parts, this.#hasMore);
  }

  strip(content: unknown): unknown {
    if (!this.send(content, true)) return content;
    const plan = this.plan(What.Strip, 0);
    return plan[0] === 0 ? content : repaired(content, plan, 0).content;
  }

  /** The content with the block of those details as its last. */
  withBlock(content: unknown, details: string, keeps: boolean): unknown {
    const block = this.#block(details);
    const parts = content as readonly Part[];
    const last = parts[parts.length - 1];
    const isThere = last?.type === "text" && last.text === block;
    const isSent = this.send(content, !isThere);
    if (!isSent && typeof content !== "string") {
      return isThere ? content : [...parts, { type: "text", text: block }];
    }
    const plan = isSent ? this.plan(keeps ? What.Keep : What.Replace, this.#tag) : NOTHING;
    // All there is to do is to put the last part in its own place.
    const isLast = plan[1] === 1 && plan[3] === Action.Drop && plan[2] === parts.length - 1;
    if (isThere && isLast) return content;
    const result = plan[1] === 0 ? content : repaired(content, plan, 1).content;
    if ((plan[0]! & Fresh.Appends) === 0) return result;
    if (typeof content !== "string") {
      return [...(result as Part[]), { type: "text", text: block }];
    }
    if (plan[1] === 0) {
      // Behind a fence that nobody closed even this block is a quotation.
      if (content === "" || content.endsWith(block)) return content || block;
      return `${content}\n\n${block}`;
    }
    // The last range of a string's only edit is the white space behind the blocks.
    const behind = content.slice(plan.at(-2));
    const before = (result as string).slice(0, (result as string).length - behind.length);
    return before + (plan[0]! & Fresh.Follows ? "\n\n" : "") + block + behind;
  }

  #candidate(part: Part | null | undefined): string | undefined {
    const type = part?.type;
    let text;
    if (type === "text") text = part!.text;
    else if (type === "tool_result" && this.rules.isEmbedded) text = textOf(part!);
    if (typeof text !== "string" || !this.#ends(text)) return undefined;
    return this.rules.isEmbedded || this.begins(text) ? text : undefined;
  }

  #ends(text: string): boolean {
    const unit = text.charCodeAt(text.length - 1);
    // Neither a bracket nor white space.
    if (unit > Unit.Space && unit <= Unit.Delete && unit !== Unit.Greater) return false;
    const trimmed = unit === Unit.Greater ? text : text.trimEnd();
    for (const close of this.#closes) if (trimmed.endsWith(close)) return true;
    return false;
  }

  /** Whether an opening tag begins the text. */
  begins(text: string): boolean {
    const trimmed = text.trimStart();
    for (const open of this.#opens) if (trimmed.startsWith(open)) return true;
    return false;
  }

  /** Whether the text can hold two blocks of a tag. */
  #isRepeated(text: string): boolean {
    return this.#closes.some((close) => {
      const first = text.indexOf(close);
      return first >= 0 && text.includes(close, first + close.length);
    });
  }

  /** No code of the host's runs in here, so nothing can remain half sent. */
  #cross(texts: readonly Crossing[], parts: number, hasMore: boolean): void {
    this.#parts = parts;
    this.#hasMore = hasMore;
    for (const [text, part, kind] of texts) {
      sendText(text, (units) => this.raw.text(units, part, kind));
    }
  }
}

/** The content after the edits at `place` of the plan, and the place behind them. */
export function repaired(
  content: unknown,
  plan: Uint32Array,
  place: number,
): { content: unknown; place: number } {
  const gone = {};
  const whole = typeof content === "string";
  const given = whole ? [{ type: "text", text: content }] : (content as Part[]);
  const parts: Part[] = given.slice();
  const end: Part[] = [];
  for (let edits = plan[place++]!; edits > 0; edits--) {
    const [at, action, ranges] = [plan[place]!, plan[place + 1], plan[place + 2]!];
    place += 3;
    const part = given[at]!;
    const before = textOf(part) as string;
    let text = "";
    for (const last = place + 2 * ranges; place < last; place += 2) {
      text += before.slice(plan[place], plan[place + 1]);
    }
    const after = ranges === 0 ? part : withText(part, text);
    if (action === Action.Rewrite) parts[at] = after;
    else if (action === Action.Drop) parts[at] = gone;
    else if (action === Action.Move) {
      parts[at] = gone;
      end.push(after);
    } else end.push({ type: "text", text });
  }
  const result = parts.filter((part) => part !== gone).concat(end);
  return { content: whole ? (result[0]?.text ?? "") : result, place };
}

/** The text of a text part, the last text of a tool's result. */
function textOf({ type, text, content }: Part): unknown {
  if (type === "text") return text;
  return Array.isArray(content) ? (content as Part[])[lastText(content)]?.text : content;
}

function withText(part: Part, text: string): Part {
  if (part.type === "text") return { ...part, text };
  const { content } = part;
  if (!Array.isArray(content)) return { ...part, content: text };
  const inner = content.slice() as Part[];
  const at = lastText(inner);
  inner[at] = { ...inner[at], text };
  return { ...part, content: inner };
}

function lastText(content: readonly Part[]): number {
  let at = content.length - 1;
  while (at >= 0 && content[at]?.type !== "text") at--;
  return at;
}

function isBlank(part: Part | null | undefined): boolean {
  const text = part?.type === "text" ? part.text : undefined;
  return typeof text === "string" && text.trim() === "";
}
