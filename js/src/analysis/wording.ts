/** The words for a session's events and loops: the same in the command and on the page. */

import { textOf } from "../messages/events.js";
import type { AgentEvent, LoopReport } from "turnkeeper";

import { oneLine } from "./plain-text.js";
import type { Tally } from "./player.js";

export const LABEL: Record<AgentEvent["type"], string> = {
  text: "text",
  reasoning: "thinking",
  tool_call: "call",
  tool_result: "result",
  turn_started: "turn",
  user_message: "user",
  finished: "finished",
  condensation: "condensed",
  retry: "retry",
  loop_reported: "loop",
  other: "other",
};

/** Events that say nothing by themselves get a row only if something was found at them. */
export const WITHOUT_ROW = new Set<AgentEvent["type"]>(["turn_started", "finished", "other"]);

export function labelOf(event: AgentEvent): string {
  return event.type === "tool_result" && event.isError ? "error" : LABEL[event.type];
}

/** One harmless line about an event, of any length that its row can be cut from. */
export function describe(event: AgentEvent): string {
  switch (event.type) {
    case "tool_call":
      return oneLine(`${event.name} ${argumentsText(event.args)}`);
    case "tool_result": {
      const exit = event.exitCode === undefined ? "" : `exit ${event.exitCode}: `;
      const output = textOf(event.output);
      return exit + (output === "" ? "(empty)" : oneLine(output));
    }
    case "text":
    case "reasoning":
      return oneLine(event.text);
    default:
      return "";
  }
}

function argumentsText(args: unknown): string {
  return typeof args === "string" ? args : (JSON.stringify(args) ?? "");
}

/** Where a loop lies. */
export function whereabouts({ channel, firstIndex, lastIndex }: LoopReport): string {
  if (channel === undefined) return `tool calls ${firstIndex} to ${lastIndex} of this prompt`;
  const text = channel === "text" ? "assistant text" : "reasoning";
  return `characters ${firstIndex} to ${lastIndex} of the ${text} in this prompt`;
}

/** What a stop has saved. */
export function afterStop(events: number, calls: number): string {
  return `${plural(events, "more event")} of this prompt after the stop, ${grouped(calls)} of them calls`;
}

/** The result of a session, in one line. */
export function summary(tally: Tally, problem: string | undefined): string {
  const { events, calls, prompts, nudges, stops, saved, blind } = tally;
  const size = [plural(events, "event"), plural(calls, "call"), plural(prompts, "prompt")];
  const found =
    stops.length + nudges === 0
      ? "no loop"
      : [stops.length > 0 && plural(stops.length, "stop"), nudges > 0 && plural(nudges, "nudge")]
          .filter(Boolean)
          .join(" and ");
  const rest =
    saved.events > 0
      ? `; stopping saves ${plural(saved.events, "event")}, ${plural(saved.calls, "call")}, ` +
        `${plural(saved.characters, "character")} of text`
      : "";
  const lacks = blind.length > 0 ? `; the session has no ${blind.join(" and no ")}` : "";
  const incomplete = problem === undefined ? "" : "; the rest could not be read";
  return `${size.join(", ")}: ${found}${rest}${lacks}${incomplete}`;
}

export function plural(count: number, one: string, several = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : several}`;
}

export function grouped(count: number): string {
  return count.toLocaleString("en-US");
}
