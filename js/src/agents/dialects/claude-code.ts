/**
 * Claude Code, whose `PostToolBatch` tells of all calls of a request with their results, as the model will
 * see them, before the next request.
 */

import { fieldsOf, firstText, list, resultText } from "../fields.js";
import type { FinishedCall, Fields, Happening } from "../hook-event.js";
import { answerWithContext, callOf, dialect, results } from "./dialect.js";

export const claudeCode = dialect({
  requests: "batch",
  events: {
    userpromptsubmit: "prompt",
    posttoolbatch: ({ tool_calls }) => results(list(tool_calls).map(callOfBatch)),
    posttooluse: resultArrived,
    sessionstart: "start",
  },
  answer(event, { context, notice, end, result }) {
    if (result !== undefined) {
      return { hookSpecificOutput: { hookEventName: event.name, updatedToolOutput: result } };
    }
    if (end !== undefined) return { continue: false, stopReason: end };
    return answerWithContext(event, { context, notice });
  },
});

/** A result before the model sees it; the batch tells the detector of it. */
function resultArrived(payload: Fields): Happening {
  const call = callOf(payload);
  const shape = shapeOf(payload.tool_response);
  if (call === undefined || shape === undefined) return results([]);
  const { text, withText } = shape;
  return results([], { arrived: { call: { ...call, output: text }, withText } });
}

/** The text of a result, and how another is put in its place; undefined for a shape that is not known. */
function shapeOf(
  response: unknown,
): { text: string; withText: (text: string) => unknown } | undefined {
  if (typeof response === "string") return { text: response, withText: (text) => text };
  if (Array.isArray(response)) {
    if (!response.every((part) => fieldsOf(part).type === "text")) return undefined;
    return { text: resultText(response), withText: (text) => [{ type: "text", text }] };
  }
  const fields = fieldsOf(response);
  if (typeof fields.stdout === "string" && fields.isImage !== true) {
    const withText = (text: string): object => ({ ...fields, stdout: text, stderr: "" });
    return { text: resultText(fields), withText };
  }
  const file = fieldsOf(fields.file);
  if (fields.type !== "text" || typeof file.content !== "string") return undefined;
  const withText = (text: string): object => ({ ...fields, file: { ...file, content: text } });
  return { text: file.content, withText };
}

/** Failures of tools other than commands, as the model sees them. */
const TOOL_ERROR = /^<tool_use_error>/;

function callOfBatch(item: unknown): FinishedCall | undefined {
  const call = fieldsOf(item);
  const failed = TOOL_ERROR.test(firstText(call.tool_response) ?? "") ? true : undefined;
  return callOf(call, failed);
}
