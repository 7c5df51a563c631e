import { HistoryDeduper } from "../entries/index.js";
import { elementsAt, valueAt, withoutUnits } from "./json-text.js";
import type { SavedPiece } from "../sessions/read-saved.js";
import { estimateTokens } from "../sessions/tokens.js";

import { textOf, viewOf } from "./message-view.js";

/** What a repair did. */
export interface RepairTotals {
  messages: number;
  messagesChanged: number;
  blocksRemoved: number;
  charactersRemoved: number;
  /** Estimated. */
  tokensRemoved: number;
}

/** How a history is repaired. */
export interface RepairOptions {
  tags?: string[];
  keep?: "last" | "first";
  embedded?: boolean;
}

/** Repairs a saved history piece by piece; a piece that needs none stays as it is, byte for byte. */
export class HistoryRepair {
  readonly #deduper: HistoryDeduper;
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  #messages = 0;
  #changed = 0;
  #tokens = 0;

  constructor(options: RepairOptions) {
    this.#deduper = new HistoryDeduper(options);
  }

  /** The piece's bytes as they are in the repaired file. */
  take({ bytes, record }: SavedPiece): Uint8Array {
    const message = record?.message;
    if (!message || bytes.length === 0) return bytes;
    this.#messages += 1;
    const view = viewOf(message.role, message.content);
    if (!view) return bytes;
    const repaired = this.#deduper.push(view);
    if (repaired === view) return bytes;
    this.#changed += 1;
    this.#tokens += estimateTokens(textOf(view.content)) - estimateTokens(textOf(repaired.content));
    const text = this.#decoder.decode(bytes);
    const changed = withContent(text, message.path, view.content, repaired.content);
    return this.#encoder.encode(changed);
  }

  end(): RepairTotals {
    const { blocksRemoved, charactersSaved } = this.#deduper.report;
    this.#deduper.dispose();
    return {
      messages: this.#messages,
      messagesChanged: this.#changed,
      blocksRemoved,
      charactersRemoved: charactersSaved,
      tokensRemoved: Math.round(this.#tokens),
    };
  }
}

type Content = string | unknown[];

/** The text of a JSON value, with other content; what stays of it stays as it was written. */
export function withContent(
  text: string,
  path: readonly string[],
  before: Content,
  after: Content,
): string {
  const range = valueAt(text, path)!;
  const old = text.slice(range.start, range.end);
  const content =
    typeof before === "string" || typeof after === "string"
      ? shortened(old, String(before), String(after))
      : rearranged(old, before, after);
  return text.slice(0, range.start) + content + text.slice(range.end);
}

/** A string from whose middle something went. */
function shortened(json: string, before: string, after: string): string {
  let start = 0;
  while (start < after.length && before[start] === after[start]) start += 1;
  const gone = before.length - after.length;
  const isCut = gone > 0 && before.slice(start + gone) === after.slice(start);
  return isCut ? withoutUnits(json, start, start + gone) : JSON.stringify(after);
}

/** An array of which elements went, or are elsewhere. */
function rearranged(json: string, before: readonly unknown[], after: readonly unknown[]): string {
  const elements = elementsAt(json, 0);
  const places = new Map<unknown, number[]>();
  before.forEach((part, at) => places.set(part, [...(places.get(part) ?? []), at]));
  const parts = after.map((part) => {
    const at = places.get(part)?.shift();
    return at === undefined
      ? JSON.stringify(part)
      : json.slice(elements[at]!.start, elements[at]!.end);
  });
  const [first, second] = elements;
  const between = first && second ? json.slice(first.end, second.start) : ", ";
  const open = first ? json.slice(0, first.start) : "[";
  const close = elements.length > 0 ? json.slice(elements.at(-1)!.end) : "]";
  return open + parts.join(between) + close;
}
