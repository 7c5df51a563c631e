import type { AgentEvent } from "../boundary/generated/shapes.js";
import type { StreamAdapter } from "../loop/guard-options.js";
import { called, said } from "../messages/events.js";
import { fields, list, objects, text, type Fields } from "../messages/fields.js";
import {
  callOf,
  eventsOfPart,
  loopFoundIn,
  resultOfParts,
  thoughtOf,
} from "../messages/gemini/parts.js";
import type { GeminiStreamEvent } from "../messages/gemini/shapes.js";

export { fromMessages, toMessages } from "../messages/gemini/history.js";
export type { Message, MessagePart } from "../messages/messages.js";

/**
 * Makes an adapter for one stream of a Gemini model, which is one request to the model: the first
 * output is preceded by `turn_started`, which the interval of the model-based check counts.
 *
 * | the stream's event | is observed as |
 * |---|---|
 * | `content`, a text part | `text` |
 * | `thought`, `reasoning`, a thought part | `reasoning` |
 * | `tool_call_request`, a `functionCall` part | `tool_call` |
 * | `tool_call_response` with an output | `tool_result` |
 * | `executableCode`, `codeExecutionResult` parts | a `tool_call` of `code_execution` and its `tool_result` |
 * | `chat_compressed`, if the history was changed | `condensation` |
 * | `loop_detected`, or an `error` that says so, of the agent's own detector | `loop_reported` |
 * | `retry` | `retry` |
 * | `finished`, a finish reason | `finished` |
 *
 * Calls that the user makes (`isClientInitiated`) are not the model's and are left out, and so are
 * chunks without output; any other event is `other`, which no rule looks at. Tool results that the
 * host sends with its next request are not in the stream: show them with the guard's `result`.
 *
 * @example
 * ```js
 * import { LoopDetector, guardStream } from "turnkeeper";
 * import { streamAdapter } from "turnkeeper/adapters/gemini";
 *
 * // Stands for `await ai.models.generateContentStream({ …, config: { abortSignal: abort.signal } })`.
 * async function* chunks() {
 *   for (;;) yield { candidates: [{ content: { parts: [{ text: "I will try again. " }] } }] };
 * }
 * const detector = new LoopDetector();
 * const abort = new AbortController();
 * const options = {
 *   adapter: streamAdapter(),
 *   abort,
 *   onLoopDetected: ({ verdict }) => console.log(verdict.report.message),
 * };
 * detector.startPrompt("1", { userPrompt: "Mend it." }); // for each message of the user
 * for await (const chunk of guardStream(chunks(), detector, options)) void chunk;
 * ```
 */
export function streamAdapter(): StreamAdapter<GeminiStreamEvent> {
  const pieces = new FunctionCallPieces();
  let started = false;

  return (given) => {
    const event = fields(given);
    const isServers = typeof event.type === "string";
    const observed = isServers ? fromServerEvent(event) : fromChunk(event, pieces);
    const first = observed[0]?.type;
    if (started || first === undefined || BEFORE_A_TURN.has(first)) {
      return observed.length > 1 ? observed : observed[0];
    }
    started = true;
    return [{ type: "turn_started" }, ...observed];
  };
}

/** What may come before the first output, and is no output itself. */
const BEFORE_A_TURN = new Set<AgentEvent["type"]>([
  "condensation",
  "loop_reported",
  "other",
  "retry",
]);

/** gemini-cli says nothing more of the loop; agents that grew from it name its type. */
function hostsVerdict(value: unknown): AgentEvent {
  const { loopType } = fields(value);
  const detail = [value, loopType].find((said) => typeof said === "string");
  return { type: "loop_reported", by: "the agent", ...(detail !== undefined && { detail }) };
}

function fromServerEvent({ type, value, message }: Fields): AgentEvent[] {
  switch (type) {
    case "error":
      return [loopFoundIn(message) ?? { type: "other" }];
    case "content":
      return said("text", value);
    case "thought":
      return thoughtOf(fields(value));
    case "reasoning":
      return said("reasoning", fields(value).text);
    case "tool_call_request":
      return fromCallRequest(fields(value));
    case "tool_call_response":
      return fromCallResponse(fields(value));
    case "chat_compressed":
      return wasCompressed(value) ? [{ type: "condensation" }] : [];
    case "loop_detected":
      return [hostsVerdict(value)];
    case "retry":
      return [{ type: "retry" }];
    case "finished":
      return [{ type: "finished" }];
    default:
      return [{ type: "other" }];
  }
}

function fromCallRequest({ callId, name, args, isClientInitiated }: Fields): AgentEvent[] {
  if (typeof name !== "string" || isClientInitiated === true) return [];
  return [called(callId, name, args)];
}

function fromCallResponse({ callId, responseParts, resultDisplay, error }: Fields): AgentEvent[] {
  const { message } = fields(error);
  const shown = [message, resultDisplay].find((shown) => typeof shown === "string");
  const isError = error !== undefined && error !== null;
  return resultOfParts(callId, list(responseParts), shown, isError);
}

/** `CompressionStatus` of gemini-cli: 2 to 5 say that the history stayed as it was. */
function wasCompressed(value: unknown): boolean {
  if (value === null) return false;
  const { compressionStatus: status } = fields(value);
  return !(typeof status === "number" && status >= 2 && status <= 5);
}

function fromChunk(chunk: Fields, pieces: FunctionCallPieces): AgentEvent[] {
  const { candidates, usageMetadata, promptFeedback } = chunk;
  const isForeign = Object.keys(chunk).length > 0;
  if (isForeign && (candidates ?? usageMetadata ?? promptFeedback) === undefined) {
    return [{ type: "other" }];
  }
  const { content, finishReason } = fields(list(candidates)[0]);
  const observed = list(fields(content).parts).flatMap((part) => fromPart(fields(part), pieces));
  if (finishReason) observed.push({ type: "finished" });
  return observed;
}

function fromPart(part: Fields, pieces: FunctionCallPieces): AgentEvent[] {
  if (part.functionCall) return pieces.add(fields(part.functionCall));
  return eventsOfPart(part) ?? [];
}

/**
 * Puts a call together whose arguments are streamed: the first piece names the function, each
 * piece that is not the last says that more will come. The arguments are kept under their paths,
 * which tells calls apart as well as the object would.
 */
class FunctionCallPieces {
  #begun: { id: unknown; name: string; args: Fields } | undefined;

  add({ id, name, args, partialArgs, willContinue }: Fields): AgentEvent[] {
    if (!this.#begun) {
      if (typeof name !== "string") return [];
      if (!willContinue && !partialArgs) return [callOf({ id, name, args })];
      this.#begun = { id, name, args: { ...fields(args) } };
    }
    const call = this.#begun;
    for (const piece of objects(partialArgs)) addArgument(call.args, piece);
    if (willContinue) return [];
    this.#begun = undefined;
    return [callOf(call)];
  }
}

function addArgument(args: Fields, piece: Fields): void {
  const path = text(piece.jsonPath) ?? "$";
  const before = args[path];
  const said = text(piece.stringValue);
  if (said !== undefined) args[path] = typeof before === "string" ? before + said : said;
  else args[path] = piece.numberValue ?? piece.boolValue ?? null;
}
