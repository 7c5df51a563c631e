// The meaning of the parts of the AI SDK's messages.

import type { AgentEvent } from "../../boundary/generated/shapes.js";
import { answered, called, textOf } from "../events.js";
import { fields, type Fields } from "../fields.js";

/** A call, of a message or of a stream; `args` are the arguments of versions before 5. */
export function callOf({ toolCallId, toolName, input, args }: Fields): AgentEvent {
  return called(toolCallId, toolName, input ?? args);
}

/** A tool that failed, of a message or of a stream. */
export function failureOf({ toolCallId, error }: Fields): AgentEvent {
  return answered(toolCallId, fields(error).message ?? error, { isError: true });
}

/** What a tool gave, in a message. */
export function resultOf(part: Fields) {
  const [output, isError] = spokenBy(part);
  return answered(part.toolCallId, output, { isError: isError || part.isError === true });
}

/**
 * What a message's result says, as text or as parts, and whether it is an error. Versions before 5 have
 * it bare under `result`.
 */
export function spokenBy(part: Fields): [said: unknown, isError: boolean] {
  const { output = part.result } = part;
  const { type, value, reason } = fields(output);
  if (typeof type !== "string") return [output, false];
  const isError = type.startsWith("error") || type === "execution-denied";
  if (type === "content" && Array.isArray(value)) return [value, isError];
  const isTyped = value !== undefined || reason !== undefined || isError;
  return [textOf(isTyped ? (value ?? reason) : output), isError];
}
