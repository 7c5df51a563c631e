// What an assembler answers with.

import type { ContextItem, Diagnostic } from "../boundary/generated/shapes.js";

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
  /** What went wrong, to show to the user. */
  diagnostics: Diagnostic[];
}

/** What a prompt refers to, without a turn. */
export interface ResolvedPrompt {
  /** In order of first appearance. */
  items: readonly ContextItem[];
  /** What went wrong, to show to the user. */
  diagnostics: Diagnostic[];
}

/** A skill that is ready to be used. */
export interface PreparedSkill {
  /** Its body, references replaced by their content. */
  content: string;
  /** `Description` of its front matter, `""` if there is none. */
  description: string;
  /** `Params` of its front matter and of that of the documents that it includes, each once. */
  params: string[];
  /** What went wrong. */
  diagnostics: Diagnostic[];
}

/** An assembled prompt as it comes out of the Wasm. */
export interface RawPrompt {
  user: string;
  block: string;
  images: { start: number; end: number; alt: string; mediaType: string; data: string }[];
  omitted: string[];
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
