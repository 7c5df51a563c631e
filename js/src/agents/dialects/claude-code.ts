/**
 * Claude Code, whose `PostToolBatch` tells of all calls of a request with their results, as the model will
 * see them, before the next request; and the payloads that Codex and Qwen Code took over from it.
 */

import { fieldsOf, finishedCall, firstText, readable, resultText } from "../fields.js";
import type { Dialect, Fields, Happening, HookEvent, Reply } from "../hook-event.js";

export const claudeCode: Dialect = {
  requests: "batch",
  tellsResults: true,
  tellsPrompts: true,
  eventsDiffer: true,
  silence: "",
  read(payload) {
    const name = firstText(payload.hook_event_name);
    switch (name) {
      case "UserPromptSubmit":
        return common(payload, name, { type: "prompt", text: firstText(payload.prompt) ?? "" });
      case "PostToolBatch":
        return common(payload, name, { type: "results", calls: batchOf(payload.tool_calls) });
      case "PostToolUse":
        return resultArrived(payload, name);
      case "SessionStart":
        return compactedAt(payload, name);
      default:
        return undefined;
    }
  },
  answer(event, { context, notice, end, result }) {
    if (result !== undefined) {
      return { hookSpecificOutput: { hookEventName: event.name, updatedToolOutput: result } };
    }
    if (end !== undefined) return { continue: false, stopReason: end };
    return answerWithContext(event, { context, notice });
  },
};

/** The fields that these agents' payloads share. */
export function common(payload: Fields, name: string, happened: Happening): HookEvent | undefined {
  const session = firstText(payload.session_id, payload.sessionId);
  if (session === undefined) return undefined;
  const subagent = firstText(payload.agent_id);
  const promptId = firstText(payload.prompt_id, payload.turn_id);
  return {
    name,
    session,
    happened,
    ...(subagent !== undefined && { subagent }),
    ...(promptId !== undefined && { promptId }),
  };
}

/** A session that starts again after its conversation was replaced by a summary. */
export function compactedAt(payload: Fields, name: string): HookEvent | undefined {
  return payload.source === "compact" ? common(payload, name, { type: "compacted" }) : undefined;
}

/** A result before the model sees it; the batch tells the detector of it. */
function resultArrived(payload: Fields, name: string): HookEvent | undefined {
  const event = common(payload, name, { type: "results", calls: [] });
  const call = callOf(payload);
  const shape = shapeOf(payload.tool_response);
  if (event === undefined || call === undefined || shape === undefined) return event;
  const { text, withText } = shape;
  return { ...event, arrived: { call: { ...call, output: text }, withText } };
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

/** One call of a payload that tells of a single one. */
export function callOf(payload: Fields, isError?: boolean): ReturnType<typeof finishedCall> {
  return finishedCall({
    id: payload.tool_call_id ?? payload.tool_use_id,
    name: payload.tool_name,
    args: payload.tool_input,
    output: payload.tool_response ?? payload.tool_result ?? payload.error,
    isError,
  });
}

/** `hookSpecificOutput` with context for the model, and a message that the user sees. */
export function answerWithContext(
  event: HookEvent,
  { context, notice }: Reply,
): object | undefined {
  if (context === undefined && notice === undefined) return undefined;
  return {
    ...(notice !== undefined && { systemMessage: notice }),
    ...(context !== undefined && {
      hookSpecificOutput: { hookEventName: event.name, additionalContext: context },
    }),
  };
}

/** A call that shall not run, in the words of these agents. */
export function refusal(event: HookEvent, reason: string): object {
  return {
    hookSpecificOutput: {
      hookEventName: event.name,
      permissionDecision: "deny",
      permissionDecisionReason: reason,
    },
  };
}

/** Failures of tools other than commands, as the model sees them. */
const TOOL_ERROR = /^<tool_use_error>/;

function batchOf(calls: unknown): ReturnType<typeof readable> {
  if (!Array.isArray(calls)) return [];
  return readable(
    calls.map((item) => {
      const call = fieldsOf(item);
      const failed = TOOL_ERROR.test(firstText(call.tool_response) ?? "") ? true : undefined;
      return callOf(call, failed);
    }),
  );
}
