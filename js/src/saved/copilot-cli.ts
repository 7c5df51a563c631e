// Sessions of GitHub Copilot CLI (`~/.copilot/session-state/<id>/events.jsonl`, in 2025 `<id>.jsonl`), an
// event a line. Read are `type`, `timestamp` and of `data`: of `session.start` `selectedModel` and
// `context.cwd`, of `session.model_change` `newModel`, of `user.message` `content`, of `assistant.message`
// `content`, `reasoningText` and `toolRequests` (`toolCallId`, `name`, `arguments`), of
// `tool.execution_complete` `toolCallId`, `success`, `result.content`, `error.message` and `model`, and that
// there is `assistant.turn_start` and `session.compaction_complete`. `tool.execution_start` says again what
// the request of the tool has said.

import type { AgentEvent } from "../boundary/generated/shapes.js";

import { fields, list, text, type Fields } from "./fields.js";
import { callEvent, events, plain, resultEvent } from "./messages.js";
import { Unreadable, type ReadRecord, type RecordReader } from "./saved-session.js";

const TYPE = /^(session|user|assistant|tool|system|hook|subagent|skill|abort)(\.[a-z_]+)+$/;

/** Whether it is an event of Copilot CLI. */
export function isCopilotCliEvent(value: unknown): boolean {
  const { type, data, timestamp, id } = fields(value);
  return (
    typeof type === "string" &&
    TYPE.test(type) &&
    typeof timestamp === "string" &&
    typeof id === "string" &&
    typeof data === "object"
  );
}

/** Reads a session of Copilot CLI. */
export class CopilotCliReader implements RecordReader {
  readonly format = "copilot-cli";

  read(value: unknown): ReadRecord {
    const { type, data } = fields(value);
    if (typeof type !== "string") throw new Unreadable("is no event of a session: no type");
    const said = fields(data);
    switch (type) {
      case "session.start":
      case "session.resume":
        return { items: [], ...named("model", said.selectedModel), ...placeOf(said) };
      case "session.model_change":
        return { items: [], ...named("model", said.newModel) };
      case "session.compaction_complete":
        return { items: said.success === false ? [] : events({ type: "condensation" }) };
      case "user.message": {
        const words = plain(said.content);
        return {
          items: [{ event: { type: "user_message" }, said: { kind: "user", text: words } }],
        };
      }
      case "system.message": {
        const words = plain(said.content);
        return { items: [{ event: { type: "other" }, said: { kind: "system", text: words } }] };
      }
      case "assistant.message":
        return { items: events({ type: "turn_started" }, ...answerEvents(said)) };
      case "tool.execution_complete":
        return { items: events(resultOf(said)), ...named("model", said.model) };
      default:
        return { items: [] };
    }
  }
}

function answerEvents({ content, reasoningText, toolRequests }: Fields): AgentEvent[] {
  const thought = text(reasoningText) ?? "";
  const words = plain(content);
  return [
    ...(thought === "" ? [] : [{ type: "reasoning", text: thought } as const]),
    ...(words === "" ? [] : [{ type: "text", text: words } as const]),
    ...list(toolRequests)
      .map(fields)
      .map(({ toolCallId, name, arguments: args }) => callEvent(toolCallId, name, args)),
  ];
}

function resultOf({ toolCallId, success, result, error }: Fields): AgentEvent {
  const output = plain(fields(result).content ?? fields(error).message ?? "");
  return resultEvent(toolCallId, output, success === false);
}

function placeOf({ context }: Fields): { workingDirectory?: string } {
  return named("workingDirectory", fields(context).cwd);
}

function named<Key extends string>(key: Key, value: unknown): { [name in Key]?: string } {
  return (typeof value === "string" && value !== "" ? { [key]: value } : {}) as {
    [name in Key]?: string;
  };
}
