// An assembled prompt, with its images in their places.

import type { ContextItem, Diagnostic, RawPrompt } from "../boundary/generated/shapes.js";

/** A prompt with everything it refers to. */
export interface AssembledPrompt {
  /** The user's text, its directives carried out, followed by the block. */
  text: string;
  /** The block alone, `""` if there is none. */
  block: string;
  /** The same text in parts, with each image in the place of its reference. */
  parts: (
    { type: "text"; text: string } | { type: "image"; alt: string; mediaType: string; data: string }
  )[];
  /** All items of the conversation, rules first, then in order of first appearance. */
  items: readonly ContextItem[];
  /** The keys of the items that were left out to keep within `maxTokens`. */
  omitted: readonly string[];
  /** Problems, to show to the user. */
  diagnostics: Diagnostic[];
}

/** The texts of a prompt, and its parts with the images in their places. */
export function readPrompt({
  user,
  block,
  images,
}: RawPrompt): Pick<AssembledPrompt, "text" | "block" | "parts"> {
  const joined = (text: string): string => (text && block ? `${text}\n\n${block}` : text + block);
  const parts: AssembledPrompt["parts"] = [];
  let from = 0;
  for (const { start, end, alt, mediaType, data } of images) {
    if (from < start) parts.push({ type: "text", text: user.slice(from, start) });
    parts.push({ type: "image", alt, mediaType, data });
    from = end;
  }
  const rest = joined(user.slice(from));
  if (rest !== "" || parts.length === 0) parts.push({ type: "text", text: rest });
  return { text: joined(user), block, parts };
}
