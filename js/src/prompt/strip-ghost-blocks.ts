// Conversations with ghost blocks in them.

import { lengthWithoutSavedBlock } from "../../glue/turnkeeper.js";
import { sendText } from "../boundary/text-buffer.js";
import { readMessages, withContent } from "../messages/any.js";
import { type AnyMessage, type ProviderMessage, contentParts } from "../messages/messages.js";

const MACHINE = "ghost_block_assembler";

/**
 * The messages without the block that a user message, or a text part of one, ends with. Messages
 * without one are the same objects; the others are copies that differ in nothing else. A message
 * that is nothing but a block stays, since no message may be empty. Where the content is a string,
 * nothing may follow the block. The messages may be any provider's, and come back in the shape that they have. A
 * block may be in another spelling: JSON on one line, or Markdown with `# Source:` and `# Tool Call:`. What cannot
 * be read stays.
 *
 * @throws `invalid_argument`, and `unknown_messages`, naming the message, for one in no provider's shape.
 */
export function stripGhostBlocks<M extends ProviderMessage>(messages: readonly M[]): M[] {
  const read = readMessages(MACHINE, messages);
  return messages.map((given, at) => {
    const message = read[at]!;
    if (message.role !== "user") return given;
    const { content } = message;
    const bare =
      typeof content === "string"
        ? withoutSavedBlock(content) || content
        : Array.isArray(content)
          ? partsWithoutBlock(content as Part[])
          : content;
    return bare === content ? given : withContent(given, message, bare);
  });
}

interface Part {
  type?: unknown;
  text?: unknown;
}

function partsWithoutBlock(parts: Part[]): Part[] {
  // The host's environment may follow it.
  for (let at = parts.length - 1; at >= 0; at--) {
    const part = parts[at];
    if (part?.type !== "text" || typeof part.text !== "string") continue;
    const text = withoutSavedBlock(part.text);
    if (text === part.text) continue;
    if (text === "" && parts.length === 1) return parts;
    const rest = text === "" ? [] : [{ ...part, text }];
    return [...parts.slice(0, at), ...rest, ...parts.slice(at + 1)];
  }
  return parts;
}

/** The text without the block that ends it, which may be JSON on one line, or Markdown. */
function withoutSavedBlock(text: string): string {
  // A block ends with a bracket, as few texts of users do, and only those need to be copied.
  if (!text.trimEnd().endsWith(">")) return text;
  const length = sendText(text, lengthWithoutSavedBlock);
  return length === text.length ? text : text.slice(0, length);
}

/** The texts of a user message. */
export function userTexts({ role, content }: AnyMessage): string[] {
  if (role !== "user") return [];
  return contentParts(content).flatMap((part) =>
    part?.type === "text" && typeof part.text === "string" ? [part.text] : [],
  );
}
