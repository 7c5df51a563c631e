import { partsOfPart } from "../../../js/src/messages/parts.js";
import { textOf } from "../../../js/src/messages/tool-output.js";
import { fields, list, text } from "../../../js/src/messages/fields.js";
import { estimateTokens } from "../../../js/src/saved/tokens.js";

/** What a part of a message is. */
export const BLOCK_KINDS = [
  "system",
  "environment",
  "user",
  "text",
  "reasoning",
  "calls",
  "results",
  "images",
] as const;
export type BlockKind = (typeof BLOCK_KINDS)[number];

/** A part of a message, before or after. */
export interface Block {
  kind: BlockKind;
  text: string;
}

/** What happened to a block: it is gone, it has taken the place of one that is, or neither. */
export type Fate = "kept" | "removed" | "new";

/** The text of a block that is an image or the like is its size. */
const LONGEST_DATA = 1_000;

/** The blocks of a message, in their order. */
export function blocksOf(role: string, content: unknown): Block[] {
  const parts = typeof content === "string" ? [content] : list(content);
  return parts.flatMap((part) => blocksOfPart(role, part));
}

function blocksOfPart(role: string, part: unknown): Block[] {
  const parts = partsOfPart(part);
  const { type, text: words = part } = fields(part);
  if (parts.length === 0) {
    return words === "" ? [] : [{ kind: kindOfRole(role), text: jsonOf(part) }];
  }
  return parts.flatMap((it): Block[] => {
    if (it.type === "text") return said(role, it.text);
    if (it.type === "reasoning") return [{ kind: "reasoning", text: it.text }];
    if (it.type === "image") return [{ kind: "images", text: text(type) ?? "" }];
    const isResult = it.type === "tool_result";
    return [
      {
        kind: isResult ? "results" : "calls",
        text: (isResult && textOf(it.output)) || jsonOf(part),
      },
    ];
  });
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === "string" && each.length > LONGEST_DATA && !/\s/.test(each)
      ? `[${each.length}]`
      : each,
  );
}

/** A text, with elements of environment as blocks of their own. */
function said(role: string, words: string): Block[] {
  if (role !== "user") return [{ kind: kindOfRole(role), text: words }];
  const blocks: Block[] = [];
  let from = 0;
  for (const { index, 0: element } of words.matchAll(ENVIRONMENT)) {
    if (index > from) blocks.push({ kind: "user", text: words.slice(from, index) });
    blocks.push({ kind: "environment", text: element });
    from = index + element.length;
  }
  if (from < words.length) blocks.push({ kind: "user", text: words.slice(from) });
  return blocks.filter(({ text }) => text.trim() !== "");
}

const ENVIRONMENT = /<environment_details>[^]*?<\/environment_details>/g;

function kindOfRole(role: string): BlockKind {
  if (role === "system" || role === "developer") return "system";
  if (role === "tool" || role === "function") return "results";
  return role === "user" ? "user" : "text";
}

/** A block of a message and what happened to it. */
export interface JudgedBlock extends Block {
  fate: Fate;
  tokens: number;
}

/** Compares the blocks of a message before and after. */
export function compareBlocks(before: readonly Block[], after: readonly Block[]): JudgedBlock[] {
  const judged: JudgedBlock[] = [];
  const put = (block: Block, fate: Fate): void => {
    judged.push({ ...block, fate, tokens: estimateTokens(block.text) });
  };
  let at = 0;
  for (const block of before) {
    const found = indexOfText(after, block.text, at);
    if (found < 0) {
      put(block, "removed");
      continue;
    }
    for (; at < found; at += 1) put(after[at]!, "new");
    put(block, "kept");
    at += 1;
  }
  for (; at < after.length; at += 1) put(after[at]!, "new");
  return judged;
}

/** White space at the ends may go with a neighbour. */
function indexOfText(blocks: readonly Block[], words: string, from: number): number {
  const trimmed = words.trim();
  return blocks.findIndex(({ text }, at) => at >= from && text.trim() === trimmed);
}
