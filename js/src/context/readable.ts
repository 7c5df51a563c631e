// A content whose parts can be read as often as need be: a getter or a proxy of the host's is read before
// anything counts, so that what it throws leaves the deduper as it was.

import { copyOf } from "../boundary/arguments.js";
import type { FoundTexts } from "./blocks.js";
import { type EditedContent, type Part, lastText } from "./edits.js";

type Content = string | readonly unknown[];

/** The content as it was given, and with plain copies of the parts that may change. */
export function readableContent(
  content: unknown,
  { texts }: FoundTexts,
): { given: Content; readable: Content } {
  if (typeof content === "string") return { given: content, readable: content };
  const given = copyOf(content as readonly unknown[]);
  const readable = copyOf(given);
  for (const { part } of texts) readable[part] = plainPart(given[part] as Part);
  return { given, readable };
}

function plainPart(part: Part): Part {
  const copy = { ...part };
  if (copy.type === "text" || !Array.isArray(copy.content)) return copy;
  const content = copyOf(copy.content as Part[]);
  const at = lastText(content);
  if (at >= 0) content[at] = { ...content[at] };
  return { ...copy, content };
}

/** The edited content, with the parts that did not change as they were given. */
export function withGivenParts(edited: EditedContent, given: Content, readable: Content): Content {
  const { content, from } = edited as EditedContent & { content: Content };
  if (typeof content === "string" || typeof given === "string") return content;
  return content.map((part, at) => (part === readable[from[at]!] ? given[from[at]!] : part));
}
