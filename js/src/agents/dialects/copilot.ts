/**
 * Copilot, of which the command line and VS Code read the same files. The command line takes context as a
 * plain field and lets a turn go on whatever is said, so calls are refused after a stop; VS Code takes it
 * within `hookSpecificOutput`, perhaps late, and ends a turn. Each ignores the other's fields.
 */

import { fieldsOf } from "../fields.js";
import type { Fields, Happening } from "../hook-event.js";
import { callOf, dialect, refusal, results } from "./dialect.js";

export const copilot = dialect({
  renamed: inClaudesWords,
  events: {
    userpromptsubmit: "prompt",
    userpromptsubmitted: "prompt",
    pretooluse: "asked",
    posttooluse: resultArrived,
    posttoolusefailure: "failure",
  },
  obeys: ({ happened }) =>
    happened.type === "call_asked" || (happened.type === "results" && !!happened.contextIsLate),
  answer(event, { context, notice, end, refusal: reason, result }) {
    if (reason !== undefined) {
      return {
        permissionDecision: "deny",
        permissionDecisionReason: reason,
        ...refusal(event, reason),
      };
    }
    const said = [context, notice, end, result];
    if (said.every((it) => it === undefined)) return undefined;
    return {
      ...(result !== undefined && { modifiedResult: result }),
      ...(end !== undefined && { continue: false, stopReason: end }),
      ...(notice !== undefined && { systemMessage: notice }),
      ...(context !== undefined && {
        additionalContext: context,
        hookSpecificOutput: { hookEventName: event.name, additionalContext: context },
      }),
    };
  },
});

/** The payload of keys in camel case, with the names that the others have. */
function inClaudesWords(payload: Fields): Fields {
  const { toolName, toolArgs, toolResult, toolCallId, sessionId } = payload;
  const error = payload.error;
  return {
    ...payload,
    session_id: payload.session_id ?? sessionId,
    tool_name: payload.tool_name ?? toolName,
    tool_input: payload.tool_input ?? toolArgs,
    tool_result: payload.tool_result ?? toolResult,
    tool_use_id: payload.tool_use_id ?? toolCallId,
    error: fieldsOf(error).message ?? error,
  };
}

function resultArrived(fields: Fields): Happening {
  const { resultType, result_type: type = resultType } = fieldsOf(fields.tool_result);
  const call = callOf(fields, type === "failure" ? true : undefined);
  // Both readers of keys take this in camel case.
  const withText = (text: string): object => ({ resultType: type, textResultForLlm: text });
  return results([call], {
    // VS Code says `tool_response`.
    contextIsLate: fields.tool_response !== undefined,
    ...(call !== undefined && type !== undefined && { arrived: { call, withText } }),
  });
}
