/** What the hooks of all agents have in common: how an event is read, and how most answer. */

import { argumentsOf, finishedCall, firstText, readable } from "../fields.js";
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
  | ((payload: Fields, name: string) => HookEvent | undefined);

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
    answer: () => undefined,
    ...others,
    read(given, named) {
      const payload = renamed === undefined ? given : renamed(given);
      const { hook_event_name, hookEventName, event } = payload;
      const name = firstText(hook_event_name, hookEventName, event, named) ?? "";
      const key = name.toLowerCase();
      if (!Object.hasOwn(events, key)) return undefined;
      const meaning = events[key]!;
      if (typeof meaning === "function") return meaning(payload, name);
      const happened = happenedIn(payload, meaning);
      return happened && common(payload, name, happened);
    },
  };
}

function happenedIn(
  payload: Fields,
  meaning: Exclude<Meaning, (...given: never) => unknown>,
): Happening | undefined {
  switch (meaning) {
    case "prompt":
      return { type: "prompt", text: firstText(payload.prompt) ?? "" };
    case "request":
      return { type: "request" };
    case "asked": {
      const name = firstText(payload.tool_name);
      const args = argumentsOf(payload.tool_input);
      return name === undefined ? undefined : { type: "call_asked", name, args };
    }
    case "result":
      return { type: "results", calls: readable([callOf(payload)]) };
    case "failure":
      return { type: "results", calls: readable([callOf(payload, true)]) };
    case "start":
      return payload.source === "compact" ? { type: "compacted" } : undefined;
  }
}

/** An event of the session, the subagent and the prompt that a payload names. */
export function common(payload: Fields, name: string, happened: Happening): HookEvent | undefined {
  const session = firstText(payload.session_id, payload.sessionId);
  if (session === undefined) return undefined;
  const subagent = firstText(payload.agent_id);
  const promptId = firstText(payload.prompt_id, payload.turn_id);
  return {
    name,
    session,
    happened,
    ...(subagent !== undefined && { subagent }),
    ...(promptId !== undefined && { promptId }),
  };
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
