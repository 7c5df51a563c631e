import type { AgentEvent } from "../boundary/generated/shapes.js";
import { answered, called, said } from "../messages/events.js";
import { fields, parsed, text, type Fields } from "../messages/fields.js";
import { condensed, events, userSaid } from "./items.js";
import {
  Unreadable,
  type ReadRecord,
  type RecordReader,
  type SavedItem,
  type SavedRecord,
} from "./saved-session.js";

/** Whether it is a message of the chat panel of Cline, Roo Code or Kilo Code (`ui_messages.json`). */
export function isUiMessage(value: unknown): boolean {
  const { ts, type, ask, say } = fields(value);
  return (
    typeof ts === "number" &&
    ((type === "say" && typeof say === "string") || (type === "ask" && typeof ask === "string"))
  );
}

/** Tools whose `content` is what they gave, not what they were given. */
const READERS = /^(readFile|list|search|codebaseSearch|webFetch|fetchInstructions)/;

/**
 * Reads the messages of the chat panel. They say less than the history: of a file that was edited,
 * for example, only the difference, and no results at all of most tools.
 */
export class UiMessageReader implements RecordReader {
  readonly format = "cline-ui";
  #output: string[] = [];
  #place = 0;

  read(value: unknown, place: number): ReadRecord {
    if (!isUiMessage(value))
      throw new Unreadable("is no message of a chat panel: no ts, ask or say");
    const message = fields(value);
    if (message.partial === true) return { items: [] };
    const what = (message.say ?? message.ask) as string;
    const words = text(message.text) ?? "";
    if (what === "command_output") {
      if (words !== "") this.#output.push(words);
      this.#place = place;
      return { items: [] };
    }
    return { items: [...(this.end()?.items ?? []), ...itemsOf(what, words, message)] };
  }

  /** A command's output comes in pieces. */
  end(): SavedRecord | undefined {
    if (this.#output.length === 0) return undefined;
    const output = this.#output.join("\n");
    this.#output = [];
    return { place: this.#place, items: events([answered(undefined, output)]) };
  }
}

function itemsOf(what: string, words: string, message: Fields): SavedItem[] {
  switch (what) {
    case "task":
    case "user_feedback":
    case "user_feedback_diff":
      return [userSaid(words)];
    case "condense":
    case "condense_context":
    case "summarize_task":
      return [condensed()];
    default:
      return events(eventsOf(what, words, message));
  }
}

function eventsOf(what: string, words: string, message: Fields): AgentEvent[] {
  switch (what) {
    case "api_req_started":
      return [{ type: "turn_started" }];
    case "text":
      // The first message of a task is the user's, in older versions.
      return said("text", words);
    case "reasoning":
      return said("reasoning", words || message.reasoning);
    case "tool":
      return toolEvents(fields(parsed(words)));
    case "command":
      return call("execute_command", { command: words });
    case "browser_action_launch":
      return call("browser_action", { action: "launch", url: words });
    case "browser_action":
      return call("browser_action", parsed(words));
    case "browser_action_result": {
      const logs = text(fields(parsed(words)).logs);
      return logs === undefined ? [] : [answered(undefined, logs)];
    }
    case "use_mcp_server":
      return call("use_mcp_tool", parsed(words));
    case "mcp_server_response":
      return [answered(undefined, words)];
    case "followup":
    case "plan_mode_respond":
      return call(what, parsed(words));
    case "completion_result":
      // It is asked again, without a text, whether the user is content.
      return words === "" ? [] : call("attempt_completion", { result: words });
    case "error":
    case "diff_error":
      return [answered(undefined, words, { isError: true })];
    case "mistake_limit_reached":
      // Roo Code and Kilo Code ask so, too, when their detector has found a loop; in English it says so.
      if (/stuck in a loop/.test(words)) {
        return [{ type: "loop_reported", by: "the agent", detail: words }];
      }
  }
  return [{ type: "other" }];
}

function call(name: string, args: unknown): AgentEvent[] {
  return [called(undefined, name, args)];
}

function toolEvents({ tool, ...args }: Fields): AgentEvent[] {
  if (typeof tool !== "string") throw new Unreadable("is a call without the tool's name");
  if (!READERS.test(tool)) return call(tool, args);
  const { content, ...rest } = args;
  const result = typeof content === "string" ? [answered(undefined, content)] : [];
  return [...call(tool, rest), ...result];
}
