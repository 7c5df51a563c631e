// The language models of VS Code: the parts of a response's stream.

import type { StreamAdapter } from "../loop/guard-options.js";
import { fields } from "../messages/fields.js";
import { eventsOfPart } from "../messages/vscode/parts.js";

export { fromMessages, toMessages } from "../messages/vscode/history.js";
export type { Message, MessagePart } from "../messages/messages.js";

/**
 * Makes an adapter for the `stream` of one `LanguageModelChatResponse`.
 *
 * | the stream's part | is observed as |
 * |---|---|
 * | the first one | `turn_started`, and what it is |
 * | `LanguageModelTextPart` | `text` |
 * | `LanguageModelThinkingPart` (proposed) | `reasoning` |
 * | `LanguageModelToolCallPart` | `tool_call` |
 * | `LanguageModelToolResultPart` | `tool_result` |
 *
 * Data parts are not observed; any other part is `other`, which no rule looks at. Results of tools
 * that the host runs are not in the stream: show them with the guard's `result`.
 *
 * Only its token ends a request of VS Code, so let the guard's `abort` cancel that.
 *
 * @example
 * ```js
 * import { LoopDetector, guardStream } from "turnkeeper";
 * import { streamAdapter } from "turnkeeper/adapters/vscode";
 *
 * const source = { token: {}, cancel() {} }; // new vscode.CancellationTokenSource()
 * // Stands for `(await model.sendRequest(messages, {}, source.token)).stream`.
 * async function* stream() {
 *   for (;;) yield { value: "I will try again. " };
 * }
 * const detector = new LoopDetector();
 * const abort = new AbortController();
 * abort.signal.addEventListener("abort", () => source.cancel());
 * const options = {
 *   adapter: streamAdapter(),
 *   abort,
 *   onLoopDetected: ({ verdict }) => console.log(verdict.report.message),
 * };
 * detector.startPrompt("1", { userPrompt: "Mend it." }); // for each message of the user
 * for await (const part of guardStream(stream(), detector, options)) void part;
 * ```
 */
export function streamAdapter(): StreamAdapter<unknown> {
  let started = false;
  return (part) => {
    const events = eventsOfPart(fields(part));
    if (events === undefined) return { type: "other" };
    const [event] = events;
    if (started || event === undefined) return event;
    started = true;
    return [{ type: "turn_started" }, event];
  };
}
