/** What the hooks of all agents have in common: how an event is read, and how most answer. */

import { argumentsOf, finishedCall, firstText } from "../fields.js";
import type { Dialect, FinishedCall, Fields, Happening, HookEvent, Reply } from "../hook-event.js";

/**
 * What an event means. `asked`: a call is about to run; `result` and `failure`: one has; `start`: a session
 * begins, perhaps after its conversation was replaced by a summary.
 */
type Meaning =
  | "prompt"
  | "request"
  | "asked"
  | "result"
  | "failure"
  | "start"
  | ((payload: Fields) => Happening | undefined);

/** What is particular to an agent. What is left out is as with most. */
interface Particulars extends Partial<Omit<Dialect, "read">> {
  /** The events of interest, by their names in lower case. */
  events: Readonly<Record<string, Meaning>>;
  /** The same payload with the names of fields that Claude Code has. */
  renamed?: (payload: Fields) => Fields;
}

/** An agent's dialect, of what is particular to it. */
export function dialect({ events, renamed, ...others }: Particulars): Dialect {
  return {
    requests: "untold",
    tellsResults: true,
    tellsPrompts: true,
    eventsDiffer: true,
    silence: "",
    obeys: ({ happened: { type } }) => type !== "prompt" && type !== "compacted",
    answer: () => undefined,
    ...others,
    read(given, named) {
      const payload = renamed === undefined ? given : renamed(given);
      const { hook_event_name, hookEventName, event } = payload;
      const name = firstText(hook_event_name, hookEventName, event, named) ?? "";
      const key = name.toLowerCase();
      if (!Object.hasOwn(events, key)) return undefined;
      const session = firstText(payload.session_id, payload.sessionId);
      const happened = happenedIn(payload, events[key]!);
      if (session === undefined || happened === undefined) return undefined;
      const subagent = firstText(payload.agent_id);
      const promptId = firstText(payload.prompt_id, payload.turn_id);
      return {
        name,
        session,
        happened,
        ...(subagent !== undefined && { subagent }),
        ...(promptId !== undefined && { promptId }),
      };
    },
  };
}

function happenedIn(payload: Fields, meaning: Meaning): Happening | undefined {
  switch (meaning) {
    case "prompt":
      return promptOf(payload.prompt);
    case "request":
      return { type: "request" };
    case "asked": {
      const name = firstText(payload.tool_name);
      const args = argumentsOf(payload.tool_input);
      return name === undefined ? undefined : { type: "call_asked", name, args };
    }
    case "result":
      return results([callOf(payload)]);
    case "failure":
      return results([callOf(payload, true)]);
    case "start":
      return payload.source === "compact" ? { type: "compacted" } : undefined;
    default:
      return meaning(payload);
  }
}

/** A message in the user's name, with its text where that is shown. */
export function promptOf(shown: unknown): Happening {
  return typeof shown === "string" ? { type: "prompt", text: shown } : { type: "prompt" };
}

/** Calls that have ended, without those that could not be read. */
export function results(
  calls: readonly (FinishedCall | undefined)[],
  about: Omit<Extract<Happening, { type: "results" }>, "type" | "calls"> = {},
): Happening {
  return { type: "results", calls: calls.filter((call) => call !== undefined), ...about };
}

/** One call of a payload that tells of a single one. */
export function callOf(payload: Fields, isError?: boolean): FinishedCall | undefined {
  return finishedCall({
    id: payload.tool_call_id ?? payload.tool_use_id,
    name: payload.tool_name,
    args: payload.tool_input,
    output: payload.tool_response ?? payload.tool_result ?? payload.error,
    isError,
  });
}

/** `hookSpecificOutput` with context for the model, and a message that the user sees. */
export function answerWithContext(
  event: HookEvent,
  { context, notice }: Reply,
): object | undefined {
  if (context === undefined && notice === undefined) return undefined;
  return {
    ...(notice !== undefined && { systemMessage: notice }),
    ...(context !== undefined && {
      hookSpecificOutput: { hookEventName: event.name, additionalContext: context },
    }),
  };
}

/** A call that shall not run, in the words of these agents. */
export function refusal(event: HookEvent, reason: string): object {
  return {
    hookSpecificOutput: {
      hookEventName: event.name,
      permissionDecision: "deny",
      permissionDecisionReason: reason,
    },
  };
}
