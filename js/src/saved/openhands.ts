import type { AgentEvent } from "../boundary/generated/shapes.js";
import { answered, called, said } from "../messages/events.js";
import { fields, list, parsed, text, type Fields } from "../messages/fields.js";
import { number } from "./exit-code.js";
import { condensed, events, hostSaid, plain, turn, userSaid } from "./items.js";
import { Unreadable, type ReadRecord, type RecordReader, type SavedItem } from "./saved-session.js";

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

  read(value: unknown): ReadRecord {
    const event = fields(value);
    if (event.observation === "delegate" && this.#delegates > 0) this.#delegates -= 1;
    const isDelegates = this.#delegates > 0;
    if (event.action === "delegate") this.#delegates += 1;
    return isDelegates ? { items: [], leftOut: true } : this.#read(event);
  }

  #read(event: Fields): ReadRecord {
    if (typeof event.kind === "string") return { items: sdkItems(event) };
    if (typeof event.action === "string") return { items: actionItems(event) };
    if (typeof event.observation === "string") return { items: observationItems(event) };
    throw new Unreadable("is no event: neither an action nor an observation");
  }
}

function actionItems(event: Fields): SavedItem[] {
  const action = event.action as string;
  const args = fields(event.args);
  const content = text(args.content) ?? "";
  if (action === "condensation") return [condensed()];
  if (action === "system") return [hostSaid(content)];
  if (action === "message") {
    return event.source === "user" ? [userSaid(content)] : turn(said("text", content));
  }
  if (NO_CALLS.has(action) || event.source !== "agent") return [other()];
  const { function_name } = fields(event.tool_call_metadata);
  const own = Object.entries(args).filter(([name]) => !ABOUT_THE_ACTION.has(name));
  const call = called(idOf(event.id), text(function_name) ?? action, Object.fromEntries(own));
  return turn([...said("text", args.thought), call]);
}

function other(): SavedItem {
  return { event: { type: "other" } };
}

function observationItems(event: Fields): SavedItem[] {
  const observation = event.observation as string;
  const verdict = stuckVerdict(event);
  if (verdict !== undefined) return events([verdict]);
  if (NO_RESULTS.has(observation)) return [other()];
  if (observation === "condense") return [condensed()];
  const extras = fields(event.extras);
  const isError = observation === "error";
  const exitCode = number(fields(extras.metadata).exit_code) ?? extras.exit_code;
  return events([answered(idOf(event.cause), text(event.content), { isError, exitCode })]);
}

/** The application's error when its detector has found a loop. */
const STUCK = /AgentStuckInLoopError|Agent got stuck in a loop/;

/** What OpenHands' own detector says: of an event it is an error, or the reason of the state of error. */
function stuckVerdict({ observation, content, extras }: Fields): AgentEvent | undefined {
  const { agent_state, reason } = fields(extras);
  const isError = observation === "error" || observation === "fatal_error";
  const isState = observation === "agent_state_changed" && agent_state === "error";
  return stuckRun(isError ? content : isState ? reason : undefined);
}

/** The verdict of a run of an evaluation, which has its error beside the events. */
export function stuckRun(error: unknown): AgentEvent | undefined {
  return typeof error === "string" && STUCK.test(error) ? loopReported(error) : undefined;
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
      const name = text(event.tool_name) ?? text(call.name) ?? text(made.name);
      if (name === undefined) throw new Unreadable("is an action without a tool");
      return turn([
        ...said("reasoning", event.reasoning_content),
        ...said("text", plain(list(event.thought))),
        called(event.tool_call_id, name, args),
      ]);
    }
    case "ObservationEvent": {
      const { content, output, exit_code, metadata, is_error, error } = fields(event.observation);
      const code = number(exit_code) ?? number(fields(metadata).exit_code);
      const isError = is_error === true || error === true;
      // A negative one is that of a command that still runs.
      const exitCode = code !== undefined && code >= 0 ? code : undefined;
      const said = plain(content ?? output);
      return events([answered(event.tool_call_id, said, { isError, exitCode })]);
    }
    case "AgentErrorEvent":
    case "UserRejectObservation": {
      const output = text(event.error) ?? `Action rejected: ${text(event.rejection_reason) ?? ""}`;
      return events([answered(event.tool_call_id, output, { isError: true })]);
    }
    case "MessageEvent": {
      const words = plain(fields(event.llm_message).content);
      if (event.source === "agent") return turn(said("text", words));
      return [event.source === "user" ? userSaid(words) : hostSaid(words)];
    }
    case "SystemPromptEvent":
      return [hostSaid(plain(fields(event.system_prompt).text))];
    case "Condensation":
    case "CondensationEvent":
      return [condensed()];
    case "ConversationStateUpdateEvent": {
      const { key, value } = event;
      const status = key === "full_state" ? fields(value).execution_status : value;
      const isStatus = key === "full_state" || key === "execution_status";
      return isStatus && status === "stuck" ? events([loopReported("stuck")]) : [other()];
    }
    default:
      return [other()];
  }
}

/** Ids of the application are numbers. */
function idOf(id: unknown): unknown {
  return typeof id === "number" ? String(id) : id;
}
