import type { StreamAdapter } from "../loop/guard-options.js";
import { CallsInText, TOOLS_IN_TEXT } from "../messages/calls-in-text.js";
import { called, said } from "../messages/events.js";
import { fields } from "../messages/fields.js";
import {
  converted,
  convertedPart,
  imageOf,
  mapBack,
  mapHistory,
  originOfPart,
  contentParts,
  type AnyMessage,
  type Message,
  type MessagePart,
} from "../messages/messages.js";
import { eventsOfBlock } from "../messages/anthropic/parts.js";

export type { Message, MessagePart };

/**
 * An event of a message stream of `@anthropic-ai/sdk`: of `messages.create({ stream: true })` and of
 * `messages.stream()`, the beta's included. Of its fields no more is asked than that it has a type, so that the adapter
 * depends on no version of the SDK.
 */
export type AnthropicStreamEvent = { readonly type: string };

/** The settings of {@link fromMessages}. */
interface AnthropicHistoryOptions {
  /**
   * The tools whose calls are in the assistant's text as XML; those of Cline, Roo and Kilo. With
   * `false` text is text, and so it is in a history whose first call is a part.
   */
  xmlTools?: readonly string[] | false;
}

/**
 * Makes an adapter for one message stream.
 *
 * | the stream's event | is observed as |
 * |---|---|
 * | `message_start` | `turn_started` |
 * | text, a text delta | `text` |
 * | thinking, a thinking delta | `reasoning` |
 * | the end of a `tool_use` block, with its JSON deltas put together | `tool_call` |
 * | the result of a tool that the provider runs | `tool_result` |
 * | a block of compaction | `condensation` |
 * | `message_stop` | `finished` |
 *
 * The arguments are handed on as the text that came, so that broken JSON is compared, too. Any other
 * event is `other`, which no rule looks at, or not observed if it says nothing. Results of the host's
 * own tools are not in the stream: show them with the guard's `result`.
 *
 * The stream's own `controller` can be the guard's `abort`.
 *
 * @example
 * ```js
 * import { LoopDetector, guardStream } from "turnkeeper";
 * import { streamAdapter } from "turnkeeper/adapters/anthropic";
 *
 * // Stands for `await client.messages.create({ …, stream: true })`.
 * async function* messageStream() {
 *   const delta = { type: "text_delta", text: "I will try again. " };
 *   for (;;) yield { type: "content_block_delta", index: 0, delta };
 * }
 * const detector = new LoopDetector();
 * const options = {
 *   adapter: streamAdapter(),
 *   // abort: stream.controller,
 *   onLoopDetected: ({ verdict }) => console.log(verdict.report.message),
 * };
 * detector.startPrompt("1", { userPrompt: "Mend it." }); // for each message of the user
 * for await (const event of guardStream(messageStream(), detector, options)) void event;
 * ```
 */
export function streamAdapter(): StreamAdapter<AnthropicStreamEvent> {
  /** The calls whose arguments are coming in, by the place of their block. */
  const calls = new Map<unknown, { id: unknown; name: string; input: unknown; json: string }>();

  return (given) => {
    const event = fields(given);
    switch (event.type) {
      case "message_start":
        calls.clear();
        return { type: "turn_started" };
      case "content_block_start": {
        const block = fields(event.content_block);
        const [first] = eventsOfBlock(block) ?? [];
        if (first?.type !== "tool_call") return first;
        calls.set(event.index, { id: first.id, name: first.name, input: first.args, json: "" });
        return undefined;
      }
      case "content_block_delta": {
        const { text, thinking, partial_json: json } = fields(event.delta);
        const call = calls.get(event.index);
        if (call !== undefined && typeof json === "string") call.json += json;
        return said("text", text)[0] ?? said("reasoning", thinking)[0];
      }
      case "content_block_stop": {
        const call = calls.get(event.index);
        if (call === undefined) return undefined;
        calls.delete(event.index);
        // Without a delta the block's own input counts, which is {} or, from some proxies, all.
        const args = call.json === "" ? call.input : call.json;
        return called(call.id, call.name, args);
      }
      case "message_stop":
        return { type: "finished" };
      case "message_delta":
      case "ping":
        return undefined;
      default:
        return { type: "other" };
    }
  };
}

/**
 * A history as messages of this package. They look like Anthropic's, so nearly every message comes
 * out as it is (`===`), whatever other fields it has: `MessageParam[]`, and what Cline, Roo and Kilo
 * save as `api_conversation_history.json`. Only an assistant's text with tool calls in it as XML
 * becomes parts of `text` and `tool_use`; {@link toMessages} gives the message back as it was.
 */
export function fromMessages<H extends object>(
  messages: readonly H[],
  { xmlTools = TOOLS_IN_TEXT }: AnthropicHistoryOptions = {},
): Message<H>[] {
  const calls = new CallsInText(xmlTools || []);
  return mapHistory(messages, (message) => {
    const { role, content } = message as AnyMessage;
    if (role !== "assistant") return message;
    const parts = contentParts(content);
    calls.startMessage(parts.some(isCall));
    const split = parts.flatMap((part) => withoutXml(part, calls));
    const isWhole = split.every((part, at) => part === parts[at]);
    return isWhole ? message : converted(message, role, split);
  });
}

function isCall(part: MessagePart): boolean {
  return eventsOfBlock(fields(part))?.[0]?.type === "tool_call";
}

function withoutXml(part: MessagePart, calls: CallsInText): MessagePart[] {
  const text = part?.type === "text" ? part.text : undefined;
  const pieces = typeof text === "string" ? calls.cut(text) : [];
  if (text === undefined || pieces.every((piece) => typeof piece === "string")) return [part];
  return pieces.map((piece) => {
    if (typeof piece === "string") return { type: "text", text: piece };
    const { start, end, name, input } = piece;
    const written = { type: "text", text: text.slice(start, end) };
    return convertedPart(written, { type: "tool_use", name, input });
  });
}

/**
 * Converts back. A message that is as {@link fromMessages} made it comes out as the object that it was
 * made of (`===`). Images of an assembled prompt become blocks of base64.
 */
export function toMessages<H extends object = any>(messages: readonly AnyMessage<H>[]): H[] {
  return mapBack(messages, (message, origin) => {
    const { content } = message;
    if (!Array.isArray(content)) return origin ? { ...origin, content } : message;
    const blocks = content.map(toBlock);
    if (origin) return { ...origin, content: blocks };
    const isSame = blocks.every((block, at) => block === content[at]);
    return isSame ? message : { ...message, content: blocks };
  });
}

function toBlock(part: MessagePart): object {
  const image = imageOf(part);
  if (image === undefined || "source" in part) return originOfPart(part) ?? part;
  const { mediaType: media_type, data } = image;
  return { type: "image", source: { type: "base64", media_type, data } };
}
