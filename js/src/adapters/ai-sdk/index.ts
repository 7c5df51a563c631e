import { fromStreamPart, type AiSdkPart } from "./parts.js";
import type { StreamAdapter } from "../../loop/guard-options.js";
export { fromMessages, toMessages } from "../../messages/ai-sdk/history.js";
export { hasLooped, loopMiddleware, type AiSdkMiddleware } from "./middleware.js";
export type { Message, MessagePart } from "../../messages/messages.js";

/**
 * Makes an adapter for one `fullStream` of `streamText`, or for one stream of a language model.
 *
 * | the stream's part | is observed as |
 * |---|---|
 * | `start-step`, `stream-start` | `turn_started` |
 * | `text-delta` | `text` |
 * | `reasoning-delta` | `reasoning` |
 * | `tool-call` | `tool_call` |
 * | `tool-result` that is not preliminary, `tool-error`, `tool-output-denied` | `tool_result` |
 * | `finish` | `finished` |
 *
 * Any other part is `other`, which no rule looks at, or not observed if it says nothing.
 *
 * The SDK runs tools by itself, in older versions before the call comes out of `fullStream`; a guard
 * there ends the stream, and with `abortSignal` the request, but only {@link loopMiddleware} is sure to
 * hold a call back.
 *
 * @example
 * ```js
 * import { LoopDetector, guardStream } from "turnkeeper";
 * import { streamAdapter } from "turnkeeper/adapters/ai-sdk";
 *
 * // Stands for `streamText({ model, prompt, abortSignal: abort.signal }).fullStream`.
 * async function* fullStream() {
 *   for (;;) yield { type: "text-delta", id: "1", text: "I will try again. " };
 * }
 * const detector = new LoopDetector();
 * const abort = new AbortController();
 * const options = {
 *   adapter: streamAdapter(),
 *   abort,
 *   onLoopDetected: ({ verdict }) => console.log(verdict.report.message),
 * };
 * detector.startPrompt("1", { userPrompt: "Mend it." }); // for each message of the user
 * for await (const part of guardStream(fullStream(), detector, options)) void part;
 * ```
 */
export function streamAdapter(): StreamAdapter<AiSdkPart> {
  return fromStreamPart;
}
