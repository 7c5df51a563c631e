// What an assembler answers with, read out of Wasm memory.

import type { RawAssembler } from "../../glue/turnkeeper.js";
import type { ContextItem, Diagnostic } from "../boundary/generated/shapes.js";
import { type TextPlace, readLent } from "../boundary/text-reader.js";

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
  user: TextPlace;
  block: TextPlace;
  images: { start: number; end: number; alt: TextPlace; mediaType: string; data: TextPlace }[];
  omitted: string[];
  diagnostics: Diagnostic[];
}

/** A document or skill as it comes out of the Wasm. */
interface RawSkill {
  content: TextPlace;
  description: string;
  params: string[];
  diagnostics: Diagnostic[];
}

/** An item as it comes out of the Wasm. */
interface RawItem {
  type: ContextItem["type"];
  key: string;
  content?: TextPlace;
  error?: TextPlace;
  /** JSON */
  args?: string;
  from: ContextItem["from"];
}

/** A macro as it comes out of the Wasm. */
interface RawMacro {
  name: string;
  value: TextPlace;
}

/** The texts of a prompt, as long as they are lent, and its parts with the images in their places. */
export function readPrompt(
  assembled: RawPrompt,
): Pick<AssembledPrompt, "text" | "block" | "parts"> {
  const user = readLent(assembled.user);
  const block = readLent(assembled.block);
  const joined = (text: string): string => (text && block ? `${text}\n\n${block}` : text + block);
  const parts: AssembledPrompt["parts"] = [];
  let from = 0;
  for (const { start, end, alt, mediaType, data } of assembled.images) {
    if (from < start) parts.push({ type: "text", text: user.slice(from, start) });
    parts.push({ type: "image", alt: readLent(alt), mediaType, data: readLent(data) });
    from = end;
  }
  const rest = joined(user.slice(from));
  if (rest !== "" || parts.length === 0) parts.push({ type: "text", text: rest });
  return { text: joined(user), block, parts };
}

/** All items of the conversation. */
export function readItems(raw: RawAssembler): readonly ContextItem[] {
  return itemsOf(raw.items() as RawItem[]);
}

/** What a prompt refers to, without a turn. */
export function finishResolving(raw: RawAssembler): ResolvedPrompt {
  const { items, diagnostics } = raw.finishResolving() as {
    items: RawItem[];
    diagnostics: Diagnostic[];
  };
  return { items: itemsOf(items), diagnostics };
}

function itemsOf(items: readonly RawItem[]): readonly ContextItem[] {
  return items.map(({ type, key, content, error, args, from }) => ({
    type,
    key,
    ...(content && { content: readLent(content) }),
    ...(error && { error: readLent(error) }),
    ...(args !== undefined && { args: JSON.parse(args) as object }),
    from,
  }));
}

/** The macros that a prompt can use now. */
export function readMacros(raw: RawAssembler): Readonly<Record<string, string>> {
  const macros = raw.macros() as RawMacro[];
  return Object.freeze(
    Object.fromEntries(macros.map(({ name, value }) => [name, readLent(value)])),
  );
}

/** The skill that was prepared. */
export function finishSkill(raw: RawAssembler): PreparedSkill {
  const { content, ...rest } = raw.finishSkill() as RawSkill;
  return { content: readLent(content), ...rest };
}
