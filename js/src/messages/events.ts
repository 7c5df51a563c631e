// The events that a provider's messages and streams become. How a part of a message is understood is
// in `messages.ts` of each provider's folder; what all of them share is here.

import { invalidArgument, optional } from "../boundary/arguments.js";
import type { AgentEvent } from "../boundary/generated/shapes.js";
import { textOf } from "./tool-output.js";

export { textOf };

type ToolCall = Extract<AgentEvent, { type: "tool_call" }>;
type ToolResult = Extract<AgentEvent, { type: "tool_result" }>;

/** The fields of a result that a host gives. @throws `invalid_argument`, as `machine`, naming the field */
export function resultFields(machine: string, event: { [Name in keyof ToolResult]?: unknown }) {
  const { output, id, isError, exitCode } = event;
  if (typeof output !== "string" && !Array.isArray(output)) {
    throw invalidArgument(machine, "event.output", "must be a string or an array of parts");
  }
  return {
    /** Not put together yet: a string or parts. */
    output: output as string | readonly unknown[],
    id: optional(machine, id, "string", "event.id"),
    isError: optional(machine, isError, "boolean", "event.isError") ?? false,
    exitCode: optional(machine, exitCode, "number", "event.exitCode"),
  };
}

/** Assistant text or reasoning; nothing where there is none. */
export function said(type: "text" | "reasoning", words: unknown): AgentEvent[] {
  return typeof words === "string" && words !== "" ? [{ type, text: words }] : [];
}

/**
 * What stands for a call that names no tool. To a detector it is an event that no rule looks at, so a
 * stream goes on; a reader of a saved session says what is wrong with the file.
 */
export const CALL_WITHOUT_NAME: AgentEvent = Object.freeze({ type: "other" });

/** A tool call. */
export function called(id: unknown, name: unknown, args: unknown): AgentEvent {
  if (typeof name !== "string") return CALL_WITHOUT_NAME;
  const call: ToolCall = { type: "tool_call", ...identified(id), name, args };
  return call;
}

/** The result of a tool call, whatever the tool gave. */
export function answered(
  id: unknown,
  output: unknown,
  { isError = false, exitCode }: { isError?: boolean; exitCode?: unknown } = {},
): ToolResult {
  return {
    type: "tool_result",
    ...identified(id),
    output: textOf(output),
    ...(isError && { isError }),
    ...(typeof exitCode === "number" && Number.isFinite(exitCode) && { exitCode }),
  };
}

/** The id where there is one; an absent field and an undefined one are not the same to all. */
export function identified(id: unknown): { id?: string } {
  return typeof id === "string" && id !== "" ? { id } : {};
}
