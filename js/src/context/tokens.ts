// How many tokens messages are, estimated as everywhere in the history deduper: four units are one, and
// so is each Han, Kana or Hangul character.

import { type RawHistoryDeduper, TextPlace } from "../../glue/turnkeeper.js";
import { addText } from "./blocks.js";

const HAS_WIDE = /[\u1100-\uffff]/;

/** Measures messages: all texts of their content, but not the bytes of pictures. */
export function tokensOf(raw: RawHistoryDeduper): (message: object) => number {
  const ofText = (text: string): number => {
    if (!HAS_WIDE.test(text)) return Math.ceil(text.length / 4);
    addText(raw, text, 0, TextPlace.WholeContent);
    return raw.textTokens();
  };
  const ofValue = (value: unknown, depth: number): number => {
    if (typeof value === "string") return ofText(value);
    if (typeof value !== "object" || value === null || depth > DEEPEST) return 0;
    if ((value as { type?: unknown }).type === "image") return 0;
    let sum = 0;
    for (const inner of Object.values(value)) sum += ofValue(inner, depth + 1);
    return sum;
  };
  return (message) => ofValue((message as { content?: unknown }).content, 0);
}

/** Deeper than anything that an agent writes. */
const DEEPEST = 100;
