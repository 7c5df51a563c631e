// What the blocks of Anthropic's messages say. Cline, Roo Code and Kilo Code save theirs in this form,
// and so does Claude Code.

import type { AgentEvent } from "../../boundary/generated/shapes.js";
import { answered, called, said, textOf } from "../events.js";
import { fields, text, type Fields } from "../fields.js";

/**
 * The events of a block, in a message or whole at its start in a stream. A call may be the model's, or
 * of a tool that the provider runs, which has its result in the same message.
 *
 * @returns undefined for a block that is not Anthropic's
 */
export function eventsOfBlock(block: Fields): AgentEvent[] | undefined {
  const type = text(block.type);
  switch (type) {
    case "text":
      return said("text", block.text);
    case "thinking":
      // Mistral's is a list of texts.
      return said("reasoning", textOf(block.thinking));
    case "redacted_thinking":
    case "container_upload":
    case "search_result":
      return [];
    case "compaction":
      return [{ type: "condensation" }];
  }
  if (type === undefined) return undefined;
  if (/(^|_)tool_use$/.test(type)) return [called(block.id, block.name, block.input)];
  return /(^|_)tool_result$/.test(type) ? [resultOf(block)] : undefined;
}

function resultOf({ tool_use_id: id, content, is_error }: Fields): AgentEvent {
  const { type: kind, return_code: exitCode } = fields(content);
  const isError = is_error === true || (typeof kind === "string" && kind.endsWith("_error"));
  return answered(id, content, { isError, exitCode });
}
