/** Cline's hook files. The command line shows no prompt, and a failed command is told by its own output alone. */

import { fieldsOf, finishedCall, firstText, resultText } from "../fields.js";
import type { FinishedCall, Fields, Happening } from "../hook-event.js";
import { dialect, promptOf, results } from "./dialect.js";

export const cline = dialect({
  requests: "numbered",
  silence: "{}\n",
  renamed: ({ hookName, taskId, task_id, parent_agent_id, agent_id, ...others }) => ({
    hook_event_name: hookName,
    session_id: firstText(taskId, task_id),
    agent_id: parent_agent_id ? agent_id : undefined,
    iteration: others.iteration,
    tool_result: others.tool_result,
    postToolUse: others.postToolUse,
    userPromptSubmit: others.userPromptSubmit,
    taskStart: others.taskStart,
  }),
  events: {
    agent_start: "prompt",
    agent_resume: "prompt",
    taskstart: taskStarted,
    taskresume: "prompt",
    userpromptsubmit: ({ userPromptSubmit }) => promptOf(fieldsOf(userPromptSubmit).prompt),
    tool_result: resultOf,
    posttooluse: resultOf,
  },
  answer(_event, { context, end }) {
    if (end !== undefined) return { cancel: true, errorMessage: end };
    // The documents name the first; releases of the command line read the second.
    return context === undefined ? undefined : { contextModification: context, context };
  },
});

function taskStarted({ taskStart }: Fields): Happening {
  return promptOf(fieldsOf(fieldsOf(taskStart).taskMetadata).initialTask);
}

function resultOf(payload: Fields): Happening {
  const request = typeof payload.iteration === "number" ? `${payload.iteration}` : undefined;
  return results([callOf(payload)], request === undefined ? {} : { request });
}

function callOf(payload: Fields): FinishedCall | undefined {
  const whole = fieldsOf(payload.tool_result);
  const brief = fieldsOf(payload.postToolUse);
  return finishedClineCall({
    id: whole.id,
    name: whole.name ?? brief.toolName,
    args: whole.input ?? brief.parameters,
    output: whole.output ?? brief.result,
    ...(brief.success === false && { isError: true }),
  });
}

/** A finished call, whose output may have parts, each with a result of its own. */
export function finishedClineCall(
  call: Parameters<typeof finishedCall>[0],
): FinishedCall | undefined {
  const { output } = call;
  if (!Array.isArray(output)) return finishedCall(call);
  const parts = output.map(fieldsOf);
  const texts = parts.map((part, at) => resultText(part.result ?? output[at]));
  const isError = parts.some(({ success }) => success === false) || call.isError;
  return finishedCall({ ...call, output: texts.join("\n"), ...(isError && { isError }) });
}
