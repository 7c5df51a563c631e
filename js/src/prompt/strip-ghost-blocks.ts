// Conversations with ghost blocks in them.

import { lengthWithoutGhostBlock } from "../../glue/turnkeeper.js";
import { checkArray, checkObject } from "../boundary/arguments.js";
import { sendText } from "../boundary/text-buffer.js";

const MACHINE = "ghost_block_assembler";

/**
 * The messages without the block that a user message, or a text part of one, ends with. Messages
 * without one are the same objects; the others are copies that differ in nothing else. A message
 * that is nothing but a block stays, since no message may be empty. Where the content is a string,
 * nothing may follow the block.
 *
 * @throws `invalid_argument`
 */
export function stripGhostBlocks<M extends { role: string; content: unknown }>(
  messages: readonly M[],
): M[] {
  return eachOf(messages, (message) => {
    if (message.role !== "user") return message;
    const { content } = message;
    if (typeof content === "string") {
      const text = withoutBlock(content);
      return text === content || text === "" ? message : { ...message, content: text };
    }
    if (!Array.isArray(content)) return message;
    const parts = content as { type?: unknown; text?: unknown }[];
    // The host's environment may follow it.
    for (let at = parts.length - 1; at >= 0; at--) {
      const part = parts[at];
      if (part?.type !== "text" || typeof part.text !== "string") continue;
      const text = withoutBlock(part.text);
      if (text === part.text) continue;
      if (text === "" && parts.length === 1) return message;
      const rest = text === "" ? [] : [{ ...part, text }];
      return { ...message, content: [...parts.slice(0, at), ...rest, ...parts.slice(at + 1)] };
    }
    return message;
  });
}

/** The text without the block that ends it. */
export function withoutBlock(text: string): string {
  // A block ends with a bracket, as few texts of users do, and only those need to be copied.
  if (!text.trimEnd().endsWith(">")) return text;
  const length = sendText(text, (units) => lengthWithoutGhostBlock(units));
  return length === text.length ? text : text.slice(0, length);
}

/** What `look` makes of each message. @throws `invalid_argument` */
export function eachOf<M, T>(messages: readonly M[], look: (message: M, at: number) => T): T[] {
  checkArray(MACHINE, messages, "messages");
  return (messages as readonly M[]).map((message, at) => {
    checkObject(MACHINE, message, `messages[${at}]`);
    return look(message, at);
  });
}

/** The texts of a user message. */
export function userTexts(message: { role: string; content: unknown }): string[] {
  if (message.role !== "user") return [];
  const { content } = message;
  if (typeof content === "string") return [content];
  if (!Array.isArray(content)) return [];
  return (content as { type?: unknown; text?: unknown }[]).flatMap((part) =>
    part?.type === "text" && typeof part.text === "string" ? [part.text] : [],
  );
}
