// The tokens of messages, estimated as everywhere in the history deduper: four units are one, and
// so is each Han, Kana or Hangul character.

import { type RawHistoryDeduper, TextPlace } from "../../glue/turnkeeper.js";
import { textOf } from "../messages/events.js";
import { type Part, partsOf } from "../messages/parts.js";
import { addText } from "./blocks.js";

/** Whether a text has characters that are tokens of their own. */
export const HAS_WIDE = /[\u1100-\uffff]/;

/** Measures messages: what they say, call and answer. */
export function tokensOf(raw: RawHistoryDeduper): (message: object) => number {
  const ofText = (text: string): number => {
    if (!HAS_WIDE.test(text)) return Math.ceil(text.length / 4);
    addText(raw, text, 0, TextPlace.WholeContent);
    return raw.textTokens();
  };
  const ofPart = (part: Part): number => {
    switch (part.type) {
      case "text":
      case "reasoning":
        return ofText(part.text);
      case "tool_call":
        return ofText(part.name) + ofText(textOf(part.args));
      case "tool_result":
        return ofText(textOf(part.output));
      default:
        return 0;
    }
  };
  return (message) => partsOf(message).reduce((sum, part) => sum + ofPart(part), 0);
}
