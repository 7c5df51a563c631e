/** Cline's hook files. No event has the prompt, and a failed command is told by its own output alone. */

import { fieldsOf, finishedCall, firstText, readable, resultText } from "../fields.js";
import type { Dialect, FinishedCall, Fields, Happening, HookEvent } from "../hook-event.js";

export const cline: Dialect = {
  requests: "numbered",
  tellsResults: true,
  tellsPrompts: true,
  eventsDiffer: true,
  silence: "{}\n",
  read(payload) {
    const name = firstText(payload.hookName);
    switch (name?.toLowerCase()) {
      case "agent_start":
      case "agent_resume":
      case "taskstart":
      case "taskresume":
      case "userpromptsubmit":
        return common(payload, name, { type: "prompt" });
      case "tool_result":
      case "posttooluse": {
        const request = typeof payload.iteration === "number" ? `${payload.iteration}` : undefined;
        const calls = readable([callOf(payload)]);
        return common(payload, name, {
          type: "results",
          calls,
          ...(request !== undefined && { request }),
        });
      }
      default:
        return undefined;
    }
  },
  answer(_event, { context, end }) {
    if (end !== undefined) return { cancel: true, errorMessage: end };
    // The documents name the first; releases of the command line read the second.
    return context === undefined ? undefined : { contextModification: context, context };
  },
};

function common(payload: Fields, name: string, happened: Happening): HookEvent | undefined {
  const session = firstText(payload.taskId, payload.task_id);
  if (session === undefined) return undefined;
  const subagent = payload.parent_agent_id ? firstText(payload.agent_id) : undefined;
  return { name, session, happened, ...(subagent !== undefined && { subagent }) };
}

function callOf(payload: Fields): FinishedCall | undefined {
  const whole = fieldsOf(payload.tool_result);
  const brief = fieldsOf(payload.postToolUse);
  const output = whole.output ?? brief.result;
  const failed = brief.success === false || hasFailedPart(output);
  return finishedCall({
    id: whole.id,
    name: whole.name ?? brief.toolName,
    args: whole.input ?? brief.parameters,
    output: partsText(output),
    isError: failed ? true : undefined,
  });
}

function hasFailedPart(output: unknown): boolean {
  return Array.isArray(output) && output.some((part) => fieldsOf(part).success === false);
}

function partsText(output: unknown): string {
  if (!Array.isArray(output)) return resultText(output);
  return output.map((part) => resultText(fieldsOf(part).result ?? part)).join("\n");
}
