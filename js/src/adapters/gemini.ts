import type { AgentEvent } from "../generated/shapes.js";
import type { StreamAdapter } from "../guard-stream.js";

/**
 * An event of a Gemini stream: a `ServerGeminiStreamEvent` of `@google/gemini-cli-core` (and of the
 * agents that grew from it), or a `GenerateContentResponse` chunk of `@google/genai`.
 *
 * The shapes are this package's own and say only what the adapter looks at, so it depends on
 * neither package and works with any version that has these fields.
 */
export type GeminiStreamEvent = GeminiServerEvent | GeminiChunk;

/** What all events of gemini-cli have in common. */
export interface GeminiServerEvent {
  readonly type: string;
  readonly value?: unknown;
}

/** What a chunk of `generateContentStream` says about the model's output. */
export interface GeminiChunk {
  readonly type?: undefined;
  readonly candidates?: readonly GeminiCandidate[];
}

/** One answer of the model; only the first of a chunk is looked at, as the SDK itself does. */
export interface GeminiCandidate {
  readonly content?: { readonly parts?: readonly GeminiPart[] };
  readonly finishReason?: string;
}

/** A piece of an answer, or of a tool's response. */
export interface GeminiPart {
  readonly text?: string;
  readonly thought?: boolean;
  readonly functionCall?: GeminiFunctionCall;
  readonly functionResponse?: { readonly response?: Record<string, unknown> };
  readonly executableCode?: { readonly code?: string; readonly language?: string };
  readonly codeExecutionResult?: { readonly output?: string; readonly outcome?: string };
}

/** A function call, whole or (on Vertex AI, if the host asked for it) in pieces. */
export interface GeminiFunctionCall {
  readonly id?: string;
  readonly name?: string;
  readonly args?: Record<string, unknown>;
  readonly partialArgs?: readonly GeminiPartialArgument[];
  readonly willContinue?: boolean;
}

/** A piece of one argument, addressed by a JSON path. */
export interface GeminiPartialArgument {
  readonly jsonPath?: string;
  readonly stringValue?: string;
  readonly numberValue?: number;
  readonly boolValue?: boolean;
  readonly nullValue?: string;
}

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
 * | `finished`, a finish reason | `finished` |
 *
 * Calls that the user makes (`isClientInitiated`) are not the model's and are left out, and so is
 * everything else, unknown events included. Tool results that the host sends with its next request
 * are not in the stream: `detector.observe({ type: "tool_result", … })` tells about them.
 */
export function streamAdapter(): StreamAdapter<GeminiStreamEvent> {
  const pieces = new FunctionCallPieces();
  let started = false;

  return (event) => {
    const observed = isServerEvent(event) ? fromServerEvent(event) : fromChunk(event, pieces);
    if (started || observed.length === 0 || observed[0]?.type === "condensation") {
      return observed.length > 1 ? observed : observed[0];
    }
    started = true;
    return [{ type: "turn_started" }, ...observed];
  };
}

function isServerEvent(event: GeminiStreamEvent): event is GeminiServerEvent {
  return typeof event.type === "string";
}

function fromServerEvent({ type, value }: GeminiServerEvent): AgentEvent[] {
  switch (type) {
    case "content":
      return typeof value === "string" ? [{ type: "text", text: value }] : [];
    case "thought":
      return fromThought(fields(value));
    case "reasoning":
      return fromText("reasoning", fields(value).text);
    case "tool_call_request":
      return fromCallRequest(fields(value));
    case "tool_call_response":
      return fromCallResponse(fields(value));
    case "chat_compressed":
      return wasCompressed(value) ? [{ type: "condensation" }] : [];
    case "finished":
      return [{ type: "finished" }];
    default:
      return [];
  }
}

/** A thought is a summary with a heading of its own, so the next one starts on a line of its own. */
function fromThought({ subject, description }: Fields): AgentEvent[] {
  const lines = [subject, description].filter((line) => typeof line === "string" && line !== "");
  return lines.length > 0 ? [{ type: "reasoning", text: `${lines.join("\n")}\n` }] : [];
}

function fromText(type: "text" | "reasoning", text: unknown): AgentEvent[] {
  return typeof text === "string" && text !== "" ? [{ type, text }] : [];
}

function fromCallRequest({ callId, name, args, isClientInitiated }: Fields): AgentEvent[] {
  if (typeof name !== "string" || isClientInitiated === true) return [];
  return [{ type: "tool_call", ...identified(callId), name, args }];
}

function fromCallResponse({ callId, responseParts, resultDisplay, error }: Fields): AgentEvent[] {
  const parts = Array.isArray(responseParts) ? (responseParts as GeminiPart[]) : [];
  const outputs = parts.map(outputOf).filter((output) => output !== undefined);
  const output = outputs.length > 0 ? outputs.join("\n") : (messageOf(error) ?? resultDisplay);
  if (typeof output !== "string") return [];
  const isError = error !== undefined && error !== null;
  return [{ type: "tool_result", ...identified(callId), output, ...(isError && { isError }) }];
}

/** The API's own convention: the answer is under `output` or `error`, else it is the whole object. */
function outputOf(part: GeminiPart): string | undefined {
  const response = part.functionResponse?.response;
  if (response === undefined) return part.text;
  const output = response.output ?? response.error ?? response;
  return typeof output === "string" ? output : JSON.stringify(output);
}

function messageOf(error: unknown): string | undefined {
  const { message } = fields(error);
  return typeof message === "string" ? message : undefined;
}

/** `CompressionStatus` of gemini-cli: 2 to 5 say that the history stayed as it was. */
function wasCompressed(value: unknown): boolean {
  if (value === null) return false;
  const { compressionStatus: status } = fields(value);
  return !(typeof status === "number" && status >= 2 && status <= 5);
}

function fromChunk(chunk: GeminiChunk, pieces: FunctionCallPieces): AgentEvent[] {
  const candidate = chunk.candidates?.[0];
  const observed = (candidate?.content?.parts ?? []).flatMap((part) => fromPart(part, pieces));
  if (candidate?.finishReason) observed.push({ type: "finished" });
  return observed;
}

function fromPart(part: GeminiPart, pieces: FunctionCallPieces): AgentEvent[] {
  if (part.functionCall) return pieces.add(part.functionCall);
  if (part.executableCode) {
    const { code, language } = part.executableCode;
    return [{ type: "tool_call", name: "code_execution", args: { code, language } }];
  }
  if (part.codeExecutionResult) {
    const { output, outcome } = part.codeExecutionResult;
    const isError = outcome !== undefined && outcome !== "OUTCOME_OK";
    return [{ type: "tool_result", output: output ?? "", ...(isError && { isError }) }];
  }
  return fromText(part.thought ? "reasoning" : "text", part.text);
}

/**
 * Puts a call together whose arguments are streamed: the first piece names the function, each
 * piece that is not the last says that more will come. The arguments are kept under their paths,
 * which tells calls apart as well as the object would.
 */
class FunctionCallPieces {
  #begun: { id: string | undefined; name: string; args: Record<string, unknown> } | undefined;

  add({ id, name, args, partialArgs, willContinue }: GeminiFunctionCall): AgentEvent[] {
    if (!this.#begun) {
      if (typeof name !== "string") return [];
      if (!willContinue && !partialArgs)
        return [{ type: "tool_call", ...identified(id), name, args }];
      this.#begun = { id, name, args: { ...args } };
    }
    const call = this.#begun;
    for (const piece of partialArgs ?? []) addArgument(call.args, piece);
    if (willContinue) return [];
    this.#begun = undefined;
    return [{ type: "tool_call", ...identified(call.id), name: call.name, args: call.args }];
  }
}

function addArgument(args: Record<string, unknown>, piece: GeminiPartialArgument): void {
  const path = piece.jsonPath ?? "$";
  const before = args[path];
  const text = piece.stringValue;
  if (text !== undefined) args[path] = typeof before === "string" ? before + text : text;
  else args[path] = piece.numberValue ?? piece.boolValue ?? null;
}

/** The id where the stream has one; an absent field and an undefined one are not the same to all. */
function identified(id: unknown): { id?: string } {
  return typeof id === "string" ? { id } : {};
}

type Fields = Record<string, unknown>;

function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}
