import type { AgentEvent } from "../boundary/generated/shapes.js";

import { fields, parsed, text, type Fields } from "./fields.js";
import { events } from "./messages.js";
import {
  type ReadRecord,
  type RecordReader,
  type SavedItem,
  type SavedRecord,
  Unreadable,
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
    const said = text(message.text) ?? "";
    if (what === "command_output") {
      if (said !== "") this.#output.push(said);
      this.#place = place;
      return { items: [] };
    }
    return { items: [...(this.end()?.items ?? []), ...itemsOf(what, said, message)] };
  }

  /** A command's output comes in pieces. */
  end(): SavedRecord | undefined {
    if (this.#output.length === 0) return undefined;
    const output = this.#output.join("\n");
    this.#output = [];
    return { place: this.#place, items: [{ event: { type: "tool_result", output } }] };
  }
}

function itemsOf(what: string, said: string, message: Fields): SavedItem[] {
  switch (what) {
    case "task":
    case "user_feedback":
    case "user_feedback_diff":
      return [{ event: { type: "user_message" }, said: { kind: "user", text: said } }];
    case "api_req_started":
      return events({ type: "turn_started" });
    case "text":
      // The first message of a task is the user's, in older versions.
      return said === "" ? [] : events({ type: "text", text: said });
    case "reasoning": {
      const thought = said || (text(message.reasoning) ?? "");
      return thought === "" ? [] : events({ type: "reasoning", text: thought });
    }
    case "tool":
      return toolItems(fields(parsed(said)));
    case "command":
      return events({ type: "tool_call", name: "execute_command", args: { command: said } });
    case "browser_action_launch":
      return events({
        type: "tool_call",
        name: "browser_action",
        args: { action: "launch", url: said },
      });
    case "browser_action":
      return events({ type: "tool_call", name: "browser_action", args: parsed(said) });
    case "browser_action_result": {
      const logs = text(fields(parsed(said)).logs);
      return logs === undefined ? [] : events({ type: "tool_result", output: logs });
    }
    case "use_mcp_server":
      return events({ type: "tool_call", name: "use_mcp_tool", args: parsed(said) });
    case "mcp_server_response":
      return events({ type: "tool_result", output: said });
    case "followup":
    case "plan_mode_respond":
      return events({ type: "tool_call", name: what, args: parsed(said) });
    case "completion_result":
      // It is asked again, without a text, whether the user is content.
      if (said === "") return [];
      return events({ type: "tool_call", name: "attempt_completion", args: { result: said } });
    case "error":
    case "diff_error":
      return events({ type: "tool_result", output: said, isError: true });
    case "mistake_limit_reached":
      // Roo Code and Kilo Code ask so, too, when their detector has found a loop; in English it says so.
      return events(
        /stuck in a loop/.test(said)
          ? { type: "loop_reported", by: "the agent", detail: said }
          : { type: "other" },
      );
    case "condense":
    case "condense_context":
    case "summarize_task":
      return events({ type: "condensation" });
    default:
      return events({ type: "other" });
  }
}

function toolItems({ tool, ...args }: Fields): SavedItem[] {
  if (typeof tool !== "string") throw new Unreadable("is a call without the tool's name");
  if (!READERS.test(tool)) return events({ type: "tool_call", name: tool, args });
  const { content, ...rest } = args;
  const call: AgentEvent = { type: "tool_call", name: tool, args: rest };
  const result = text(content);
  return result === undefined
    ? events(call)
    : events(call, { type: "tool_result", output: result });
}
