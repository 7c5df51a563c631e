import type { AgentEvent } from "../boundary/generated/shapes.js";

import { fields, list, parsed, text, type Fields } from "./fields.js";
import { identified, number, events, plain } from "./messages.js";
import {
  type RecordReader,
  type SavedItem,
  type SavedRecord,
  Unreadable,
} from "./saved-session.js";

/** Whether it is an event of OpenHands: of the application's, or of the agent SDK's. */
export function isOpenHandsEvent(value: unknown): boolean {
  const { kind, source, action, observation, id } = fields(value);
  if (typeof kind === "string" && /(Event|Observation|Condensation)$/.test(kind)) return true;
  const isNamed = typeof action === "string" || typeof observation === "string";
  return isNamed && (typeof source === "string" || typeof id === "number");
}

/** Actions of the application that are no calls of tools. */
const NO_CALLS = new Set(["message", "system", "change_agent_state", "null", "recall", "start"]);
/** Observations that answer no call. */
const NO_RESULTS = new Set(["null", "agent_state_changed", "recall", "user_rejected_state"]);
/** What an action's arguments say about the action, and not to the tool. */
const ABOUT_THE_ACTION = new Set([
  "thought",
  "is_confirmed",
  "confirmation_state",
  "hidden",
  "blocking",
  "keep_prompt",
  "security_risk",
  "is_static",
  "is_input",
  "image_urls",
  "file_urls",
  "wait_for_response",
]);

/**
 * Reads events of OpenHands, from an array, lines, or a folder of files. What an agent does to which the
 * work was delegated is left out, as OpenHands leaves it out of the first agent's history.
 */
export class OpenHandsReader implements RecordReader {
  readonly format = "openhands";
  /** Agents at work for others: each is between a delegation and its result. */
  #delegates = 0;

  read(value: unknown): Omit<SavedRecord, "place"> {
    const event = fields(value);
    if (event.observation === "delegate" && this.#delegates > 0) this.#delegates -= 1;
    const isDelegates = this.#delegates > 0;
    if (event.action === "delegate") this.#delegates += 1;
    return isDelegates ? { items: [], leftOut: true } : this.#read(event);
  }

  #read(event: Fields): Omit<SavedRecord, "place"> {
    if (typeof event.kind === "string") return { items: sdkItems(event) };
    if (typeof event.action === "string") return { items: actionItems(event) };
    if (typeof event.observation === "string") return { items: observationItems(event) };
    throw new Unreadable("is no event: neither an action nor an observation");
  }
}

function actionItems(event: Fields): SavedItem[] {
  const action = event.action as string;
  const args = fields(event.args);
  if (action === "condensation") return [{ event: { type: "condensation" } }];
  if (action === "message" && event.source === "user") {
    const said = { kind: "user", text: text(args.content) ?? "" } as const;
    return [{ event: { type: "user_message" }, said }];
  }
  if (action === "message") {
    return events({ type: "turn_started" }, ...spoken(text(args.content)));
  }
  if (action === "system") {
    const said = { kind: "system", text: text(args.content) ?? "" } as const;
    return [{ event: { type: "other" }, said }];
  }
  if (NO_CALLS.has(action) || event.source !== "agent") return [{ event: { type: "other" } }];
  const call = fields(event.tool_call_metadata);
  return events({ type: "turn_started" }, ...spoken(text(args.thought)), {
    type: "tool_call",
    ...idOf(event.id),
    name: text(call.function_name) ?? action,
    args: Object.fromEntries(Object.entries(args).filter(([name]) => !ABOUT_THE_ACTION.has(name))),
  });
}

function observationItems(event: Fields): SavedItem[] {
  const observation = event.observation as string;
  const verdict = stuckVerdict(event);
  if (verdict !== undefined) return events(verdict);
  if (NO_RESULTS.has(observation)) return [{ event: { type: "other" } }];
  if (observation === "condense") return [{ event: { type: "condensation" } }];
  const extras = fields(event.extras);
  const exitCode = number(fields(extras.metadata).exit_code) ?? number(extras.exit_code);
  return events({
    type: "tool_result",
    ...idOf(event.cause),
    output: text(event.content) ?? "",
    ...(observation === "error" && { isError: true }),
    ...(exitCode !== undefined && { exitCode }),
  });
}

/** The application's error when its detector has found a loop. */
const STUCK = /AgentStuckInLoopError|Agent got stuck in a loop/;

/** What OpenHands' own detector says: of an event it is an error, or the reason of the state of error. */
function stuckVerdict({ observation, content, extras }: Fields): AgentEvent | undefined {
  const { agent_state, reason } = fields(extras);
  const isError = observation === "error" || observation === "fatal_error";
  const isState = observation === "agent_state_changed" && agent_state === "error";
  const said = isError ? text(content) : isState ? text(reason) : undefined;
  return said !== undefined && STUCK.test(said) ? loopReported(said) : undefined;
}

/** The verdict of a run of an evaluation, which has its error beside the events. */
export function stuckRun(error: unknown): AgentEvent | undefined {
  const said = text(error);
  return said !== undefined && STUCK.test(said) ? loopReported(said) : undefined;
}

function loopReported(detail: string): AgentEvent {
  return { type: "loop_reported", by: "OpenHands", detail };
}

function sdkItems(event: Fields): SavedItem[] {
  switch (event.kind) {
    case "ActionEvent": {
      const call = fields(event.tool_call);
      const made = fields(call.function);
      const args = parsed(call.arguments ?? made.arguments) ?? event.action;
      const thought = text(event.reasoning_content);
      const name = text(event.tool_name) ?? text(call.name) ?? text(made.name);
      if (name === undefined) throw new Unreadable("is an action without a tool");
      return events(
        { type: "turn_started" },
        ...(thought ? [{ type: "reasoning", text: thought } as const] : []),
        ...spoken(plain(list(event.thought))),
        { type: "tool_call", ...identified(event.tool_call_id), name, args },
      );
    }
    case "ObservationEvent": {
      const observation = fields(event.observation);
      const output = plain(observation.content ?? observation.output ?? "");
      const exitCode =
        number(observation.exit_code) ?? number(fields(observation.metadata).exit_code);
      const isError = observation.is_error === true || observation.error === true;
      return events({
        type: "tool_result",
        ...identified(event.tool_call_id),
        output,
        ...(isError && { isError }),
        ...(exitCode !== undefined && exitCode >= 0 && { exitCode }),
      });
    }
    case "AgentErrorEvent":
    case "UserRejectObservation": {
      const output = text(event.error) ?? `Action rejected: ${text(event.rejection_reason) ?? ""}`;
      const id = identified(event.tool_call_id);
      return events({ type: "tool_result", ...id, output, isError: true });
    }
    case "MessageEvent": {
      const words = plain(fields(event.llm_message).content);
      if (event.source === "agent") return events({ type: "turn_started" }, ...spoken(words));
      const isUser = event.source === "user";
      const said = { kind: isUser ? "user" : "system", text: words } as const;
      return [{ event: { type: isUser ? "user_message" : "other" }, said }];
    }
    case "SystemPromptEvent": {
      const said = { kind: "system", text: plain(fields(event.system_prompt).text) } as const;
      return [{ event: { type: "other" }, said }];
    }
    case "Condensation":
    case "CondensationEvent":
      return events({ type: "condensation" });
    case "ConversationStateUpdateEvent": {
      const { key, value } = event;
      const status = key === "full_state" ? fields(value).execution_status : value;
      const isStatus = key === "full_state" || key === "execution_status";
      return events(isStatus && status === "stuck" ? loopReported("stuck") : { type: "other" });
    }
    default:
      return events({ type: "other" });
  }
}

function spoken(words: string | undefined): AgentEvent[] {
  return words ? [{ type: "text", text: words }] : [];
}

/** Ids of the application are numbers. */
function idOf(id: unknown): { id?: string } {
  return typeof id === "number" ? { id: String(id) } : identified(id);
}
