import { RawHistoryReader, sessionFormats } from "../../glue/sessions/turnkeeper.js";
import { checkArray, checkString, invalidArgument, isObject } from "../boundary/arguments.js";
import { sendFlat } from "../boundary/flat.js";
import type { AgentEvent, SessionFormat } from "../boundary/generated/shapes.js";
import { Machine, call, callFunction } from "../boundary/machine.js";
import { nameOfBytes } from "../messages/tool-output.js";
import { MACHINE, whole } from "./batches.js";

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
  const reader = new HistoryEvents(format);
  try {
    const events = messages.flatMap((message) => reader.push(message));
    return events.concat(reader.end());
  } finally {
    reader.dispose();
  }
}

class HistoryEvents extends Machine {
  constructor(format: SessionFormat | undefined) {
    super(MACHINE, RawHistoryReader, format);
  }

  push(message: unknown): AgentEvent[] {
    const json = call(this, (raw: RawHistoryReader) =>
      sendFlat(MACHINE, withContent(message), (length) => raw.push(length), { nameOfBytes }),
    );
    return eventsIn(json);
  }

  end(): AgentEvent[] {
    return eventsIn(call(this, (raw: RawHistoryReader) => raw.end()));
  }
}

function eventsIn(json: string): AgentEvent[] {
  return (JSON.parse(json) as AgentEvent[]).map(whole);
}

/** The same message; VS Code's have their content in an accessor, which is no field of their own. */
function withContent(message: unknown): unknown {
  if (!isObject(message) || Object.hasOwn(message, "content") || !("content" in message)) {
    return message;
  }
  return { ...message, content: message.content };
}

function checkFormat(format: unknown): void {
  checkString(MACHINE, format, "format");
  const formats = callFunction(MACHINE, sessionFormats);
  if (formats.includes(format)) return;
  throw invalidArgument(MACHINE, "format", `must be one of ${formats.join(", ")}`);
}
