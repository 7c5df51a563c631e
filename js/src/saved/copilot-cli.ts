// Sessions of GitHub Copilot CLI (`~/.copilot/session-state/<id>/events.jsonl`, in 2025 `<id>.jsonl`), an
// event a line. Read are `type`, `timestamp` and of `data`: of `session.start` `selectedModel` and
// `context.cwd`, of `session.model_change` `newModel`, of `user.message` `content`, of `assistant.message`
// `content`, `reasoningText` and `toolRequests` (`toolCallId`, `name`, `arguments`), of
// `tool.execution_complete` `toolCallId`, `success`, `result.content`, `error.message` and `model`, and that
// there is `assistant.turn_start` and `session.compaction_complete`. `tool.execution_start` says again what
// the request of the tool has said.

import type { AgentEvent } from "../boundary/generated/shapes.js";
import { answered, called, said } from "../messages/events.js";
import { fields, objects, type Fields } from "../messages/fields.js";
import { condensed, events, facts, hostSaid, plain, turn, userSaid } from "./items.js";
import { Unreadable, type RecordReader } from "./saved-session.js";

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
export const COPILOT_CLI: RecordReader = {
  format: "copilot-cli",

  read(value) {
    const { type, data } = fields(value);
    if (typeof type !== "string") throw new Unreadable("is no event of a session: no type");
    const told = fields(data);
    switch (type) {
      case "session.start":
      case "session.resume": {
        const workingDirectory = fields(told.context).cwd;
        return { items: [], ...facts({ model: told.selectedModel, workingDirectory }) };
      }
      case "session.model_change":
        return { items: [], ...facts({ model: told.newModel }) };
      case "session.compaction_complete":
        return { items: told.success === false ? [] : [condensed()] };
      case "user.message":
        return { items: [userSaid(plain(told.content))] };
      case "system.message":
        return { items: [hostSaid(plain(told.content))] };
      case "assistant.message":
        return { items: turn(answerEvents(told)) };
      case "tool.execution_complete":
        return { items: events([resultOf(told)]), ...facts({ model: told.model }) };
      default:
        return { items: [] };
    }
  },
};

function answerEvents({ content, reasoningText, toolRequests }: Fields): AgentEvent[] {
  return [
    ...said("reasoning", reasoningText),
    ...said("text", plain(content)),
    ...objects(toolRequests).map((call) => called(call.toolCallId, call.name, call.arguments)),
  ];
}

function resultOf({ toolCallId, success, result, error }: Fields): AgentEvent {
  const output = plain(fields(result).content ?? fields(error).message ?? "");
  return answered(toolCallId, output, { isError: success === false });
}
