// What the parts of the AI SDK's messages say: of a `ModelMessage`, and of a `UIMessage`.

import type { AgentEvent } from "../../boundary/generated/shapes.js";
import { answered, called, said, textOf } from "../events.js";
import { fields, text, type Fields } from "../fields.js";

/**
 * The events of a part. Its text parts are like everybody's and are not read here. A part of a
 * `UIMessage` is a call and, once it is there, its result.
 *
 * @returns undefined for a part that is not the AI SDK's
 */
export function eventsOfPart(part: Fields): AgentEvent[] | undefined {
  const type = text(part.type);
  switch (type) {
    case undefined:
      return undefined;
    case "reasoning":
      return typeof part.text === "string" ? said("reasoning", part.text) : undefined;
    case "tool-call":
      return [callOf(part)];
    case "tool-result":
      return [resultOf(part)];
    case "tool-error":
      return [failureOf(part)];
    case "tool-approval-request":
    case "tool-approval-response":
    case "step-start":
      return [];
    case "tool-invocation": {
      const { state, result, ...call } = fields(part.toolInvocation);
      const made = callOf(call);
      return state === "result" ? [made, answered(call.toolCallId, result)] : [made];
    }
    default:
      return type.startsWith("tool-") || type === "dynamic-tool" ? uiTool(part, type) : undefined;
  }
}

function uiTool(part: Fields, type: string): AgentEvent[] {
  const { toolCallId, toolName = type.slice("tool-".length), input, state } = part;
  const call = called(toolCallId, toolName, input);
  if (state === "output-available") return [call, answered(toolCallId, part.output)];
  if (state === "output-error") {
    return [call, answered(toolCallId, part.errorText, { isError: true })];
  }
  return [call];
}

/** A call, of a message or of a stream; `args` are the arguments of versions before 5. */
export function callOf({ toolCallId, toolName, input, args }: Fields): AgentEvent {
  return called(toolCallId, toolName, input ?? args);
}

/** A tool that failed, of a message or of a stream. */
export function failureOf({ toolCallId, error }: Fields): AgentEvent {
  return answered(toolCallId, fields(error).message ?? error, { isError: true });
}

function resultOf(part: Fields): AgentEvent {
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
