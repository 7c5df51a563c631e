// What gemini-cli and the agents that grew from it have in common: the events of the model's stream, and the
// names of what is found in it.

import {
  MAX_ARGUMENT_DEPTH,
  type AgentEvent,
  type LoopReport,
} from "../boundary/generated/shapes.js";

/** An event of the model's stream. */
export interface ServerGeminiStreamEvent {
  readonly type: string;
  readonly value?: unknown;
}

/** The values of `LoopType`. */
export type LoopDetectionType =
  "consecutive_identical_tool_calls" | "chanting_identical_sentences" | "llm_detected_loop";

/** What an event is to the detector; the agents' own services look at no other. */
export function observedIn({ type, value }: ServerGeminiStreamEvent): AgentEvent | undefined {
  if (type === "content") return { type: "text", text: value as string };
  if (type !== "tool_call_request") return undefined;
  const { name, args } = value as { name: string; args: unknown };
  return { type: "tool_call", name, args: isDeep(args) ? asText(args) : args };
}

/** The name of what was found in the stream. */
export function typeOf(report: LoopReport): LoopDetectionType {
  return report.type === "chanting_identical_sentences"
    ? "chanting_identical_sentences"
    : "consecutive_identical_tool_calls";
}

/** What is nested deeper than the detector reads is compared as text, unless it is cyclic. */
function asText(args: unknown): unknown {
  try {
    return JSON.stringify(args);
  } catch {
    return args;
  }
}

function isDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== "object" || value === null) return false;
  return (
    depth === MAX_ARGUMENT_DEPTH || Object.values(value).some((item) => isDeep(item, depth + 1))
  );
}
