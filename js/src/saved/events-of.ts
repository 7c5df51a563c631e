import { checkArray, checkString, invalidArgument } from "../boundary/arguments.js";
import type { AgentEvent } from "../boundary/generated/shapes.js";

import { Recogniser } from "./formats.js";
import { MessageReader } from "./messages.js";
import { FORMATS, Unreadable, type SessionFormat, type RecordReader } from "./saved-session.js";

const MACHINE = "sessions";

/**
 * The events of a history, to seed a detector when a task is resumed, so that a loop that was under way
 * is found where it would have been found. The messages may be those of Anthropic, OpenAI (chat, and the
 * items of its Responses), Gemini, the AI SDK or VS Code, what Cline, Roo Code and Kilo Code save, or the
 * values of any other format that {@link readSession} knows. They are read once, and not kept.
 *
 * What the user says is a `user_message`, and what the model has written and called since then is its
 * turns, each with a `turn_started`. A system message is `other`, which no rule looks at.
 *
 * @param format Whose messages they are, if it is known and they do not say it themselves:
 * `"claude-code"` and `"codex"` have messages that look like Anthropic's and OpenAI's, and
 * `"mini-swe-agent"` has commands in the model's text.
 * @throws `invalid_argument` for what is no array, and for a message that is in no known format, with
 * `messages[3]` as `detail.field`.
 * @example
 * ```js
 * import { LoopDetector } from "turnkeeper";
 * import { eventsOf } from "turnkeeper/sessions";
 *
 * const call = { type: "tool_use", id: "1", name: "read_file", input: { path: "a.ts" } };
 * const result = { type: "tool_result", tool_use_id: "1", content: "one" };
 * const history = [{ role: "user", content: "Fix it." }];
 * for (let n = 0; n < 5; n++) {
 *   history.push({ role: "assistant", content: [call] }, { role: "user", content: [result] });
 * }
 * const detector = new LoopDetector({ profile: "adaptive" });
 * detector.startPrompt("prompt-1");
 * console.log(detector.observeAll(eventsOf(history)).action); // stop
 * ```
 */
export function eventsOf(messages: readonly object[], format?: SessionFormat): AgentEvent[] {
  checkArray(MACHINE, messages, "messages");
  if (format !== undefined) checkFormat(format);
  const reader = readerOf(messages, format);
  const events: AgentEvent[] = [];
  for (const [index, message] of messages.entries()) {
    try {
      const { items } = reader.read(message, index + 1);
      for (const { event } of items) events.push(event);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      throw invalidArgument(MACHINE, `messages[${index}]`, error.message);
    }
  }
  for (const { event } of reader.end?.()?.items ?? []) events.push(event);
  return events;
}

function checkFormat(format: unknown): void {
  checkString(MACHINE, format, "format");
  if (Object.hasOwn(FORMATS, format)) return;
  const formats = Object.keys(FORMATS).join(", ");
  throw invalidArgument(MACHINE, "format", `must be one of ${formats}`);
}

function readerOf(messages: readonly unknown[], format: SessionFormat | undefined): RecordReader {
  const recogniser = new Recogniser("lines");
  for (const [index, json] of messages.entries()) {
    const reader = recogniser.look({ key: undefined, place: index + 1, isElement: true, json });
    if (reader instanceof MessageReader) return new MessageReader(format);
    if (reader) return reader;
  }
  if (messages.length === 0) return new MessageReader();
  throw invalidArgument(MACHINE, "messages", "are of no known format");
}
