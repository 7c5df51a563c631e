import type { AgentEvent } from "../boundary/generated/shapes.js";
import type { StreamAdapter } from "../loop/guard-options.js";
import { eventsOfBlock } from "../messages/anthropic/parts.js";
import { said, textOf } from "../messages/events.js";
import { fields, objects, text, type Fields } from "../messages/fields.js";
import {
  askedIn,
  callOfItem,
  resultOfItem,
  thinkingOf,
  withArguments,
} from "../messages/openai/parts.js";

/**
 * An event of a stream of `openai`, or of anything that speaks its formats: a chunk of a chat completion or an event of
 * the Responses API. Of its fields no more is asked than what tells the two apart, so that the adapter depends on no version
 * of the SDK.
 */
export type OpenAiStreamEvent =
  { readonly choices: readonly object[] } | { readonly type: string; readonly choices?: undefined };

export { fromMessages, toMessages } from "../messages/openai/history.js";
export type { Message, MessagePart } from "../messages/messages.js";

/**
 * Makes an adapter for one stream of a chat completion or of the Responses API.
 *
 * | the stream's event | is observed as |
 * |---|---|
 * | the first chunk, `response.created` | `turn_started` |
 * | content, a refusal | `text` |
 * | `reasoning_content`, `reasoning`, the deltas of reasoning or of its summary | `reasoning` |
 * | a tool call, its deltas put together by their index | `tool_call` |
 * | the result of a tool that the provider runs | `tool_result` |
 * | an item of compaction | `condensation` |
 * | a finish reason, the end of the response | `finished` |
 *
 * The arguments are handed on as the text that came, so that broken JSON is compared, too. A call of
 * a chat completion is complete when the next one has begun and its arguments are JSON, or else when
 * the answer is finished. Any other event is `other`, which no rule looks at, or not observed if it
 * says nothing. Results of the host's own tools are not in the stream: show them with
 * the guard's `result`.
 *
 * The stream's own `controller` can be the guard's `abort`.
 *
 * @example
 * ```js
 * import { LoopDetector, guardStream } from "turnkeeper";
 * import { streamAdapter } from "turnkeeper/adapters/openai";
 *
 * // Stands for `await client.chat.completions.create({ …, stream: true })`.
 * async function* chunks() {
 *   for (;;) yield { choices: [{ index: 0, delta: { content: "I will try again. " } }] };
 * }
 * const detector = new LoopDetector();
 * const options = {
 *   adapter: streamAdapter(),
 *   // abort: stream.controller,
 *   onLoopDetected: ({ verdict }) => console.log(verdict.report.message),
 * };
 * detector.startPrompt("1", { userPrompt: "Mend it." }); // for each message of the user
 * for await (const chunk of guardStream(chunks(), detector, options)) void chunk;
 * ```
 */
export function streamAdapter(): StreamAdapter<OpenAiStreamEvent> {
  const chat = new Chat();
  const response = new ResponseItems();
  return (event) => {
    const { type, choices } = fields(event);
    if (Array.isArray(choices)) return chat.observe(choices.map(fields));
    if (typeof type === "string") return response.observe(type, fields(event));
    return { type: "other" };
  };
}

/** A call as far as it has come in. */
interface Begun {
  id: string;
  name: string;
  args: string;
}

/** The chunks of one chat completion. */
class Chat {
  #started = false;
  /** The calls that are coming in, by their index. */
  readonly #calls = new Map<number, Begun>();
  #newest = 0;

  observe(choices: readonly Fields[]): AgentEvent[] {
    const seen: AgentEvent[] = [];
    if (!this.#started) seen.push({ type: "turn_started" });
    this.#started = true;
    // Only the first answer is looked at.
    const { delta: given, finish_reason } = choices.find(({ index }) => !index) ?? {};
    if (given) {
      const delta = fields(given);
      seen.push(...thinkingOf(delta), ...said("text", delta.content));
      // Mistral's content may have parts, which are like Anthropic's.
      for (const part of objects(delta.content)) seen.push(...(eventsOfBlock(part) ?? []));
      seen.push(...said("text", delta.refusal));
      for (const call of objects(delta.tool_calls)) this.#add(seen, call);
      if (delta.function_call) this.#add(seen, { function: delta.function_call });
      for (const [index, { args }] of this.#calls) {
        if (index !== this.#newest && isJson(args)) this.#end(seen, index);
      }
    }
    // The chunk with the usage comes last and has no choice; a few servers give no finish reason.
    if (finish_reason || choices.length === 0) {
      for (const index of this.#calls.keys()) this.#end(seen, index);
    }
    if (finish_reason) seen.push({ type: "finished" });
    return seen;
  }

  #add(seen: AgentEvent[], given: Fields): void {
    const { name, args } = askedIn(given);
    const id = text(given.id) ?? "";
    // Some servers give no index, or the same to all.
    const at = typeof given.index === "number" ? given.index : this.#newest;
    let call = this.#calls.get(at);
    if (call !== undefined && isAnother(call, id, name)) {
      this.#end(seen, at);
      call = undefined;
    }
    this.#newest = at;
    if (call === undefined) this.#calls.set(at, (call = { id: "", name: "", args: "" }));
    call.id ||= id;
    call.name ||= text(name) ?? "";
    call.args += textOf(args);
  }

  #end(seen: AgentEvent[], index: number): void {
    const { id, name, args } = this.#calls.get(index)!;
    this.#calls.delete(index);
    if (name !== "") seen.push(withArguments(id, name, args));
  }
}

/** Whether a piece is of another call: by its id or, without one, since it names a tool when the arguments are complete. */
function isAnother(call: Begun, id: string, name: unknown): boolean {
  const haveIds = id !== "" && call.id !== "";
  return haveIds ? id !== call.id : Boolean(name) && isJson(call.args);
}

function isJson(text: string): boolean {
  if (!text.trimEnd().endsWith("}")) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The events of one response. */
class ResponseItems {
  /** The calls that have begun, by the place of their item; `false` once they were observed. */
  readonly #calls = new Map<unknown, Fields | false>();

  observe(type: string, event: Fields): AgentEvent | AgentEvent[] | undefined {
    switch (type) {
      case "response.created":
        this.#calls.clear();
        return { type: "turn_started" };
      case "response.output_text.delta":
      case "response.refusal.delta":
        return said("text", event.delta);
      case "response.reasoning_text.delta":
      case "response.reasoning_summary_text.delta":
        return said("reasoning", event.delta);
      case "response.reasoning_summary_part.done":
        // A summary has a heading of its own, so the next one starts on a line of its own.
        return { type: "reasoning", text: "\n" };
      case "response.output_item.added":
        this.#calls.set(event.output_index, fields(event.item));
        return undefined;
      // The arguments are complete some events before the item is; hosts run the call at either.
      case "response.function_call_arguments.done":
      case "response.mcp_call_arguments.done":
      case "response.custom_tool_call_input.done":
        return this.#complete(event);
      case "response.output_item.done":
        return this.#done(event);
      case "response.completed":
      case "response.incomplete":
      case "response.failed":
        return { type: "finished" };
      default:
        return /^response\..*\.(delta|added|done)$/.test(type) ? undefined : { type: "other" };
    }
  }

  #complete(event: Fields): AgentEvent | undefined {
    const { output_index: at, arguments: args = event.input } = event;
    const begun = this.#calls.get(at);
    const name = (begun && begun.name) ?? event.name;
    if (begun === false || typeof name !== "string") return undefined;
    this.#calls.set(at, false);
    return withArguments(begun && (begun.call_id ?? begun.id), name, args);
  }

  #done({ output_index: at, item: done }: Fields): AgentEvent[] {
    const item = fields(done);
    const wasCalled = this.#calls.get(at) === false;
    this.#calls.delete(at);
    if (item.type === "compaction") return [{ type: "condensation" }];
    const call = wasCalled ? undefined : callOfItem(item);
    return [call, resultOfItem(item)].filter((event) => event !== undefined);
  }
}
