/** Cursor. */

import { argumentsOf, firstText, readable, finishedCall } from "../fields.js";
import type { Dialect, Fields, Happening, HookEvent } from "../hook-event.js";

export const cursor: Dialect = {
  requests: "untold",
  tellsResults: true,
  tellsPrompts: true,
  eventsDiffer: false,
  silence: "",
  read(payload) {
    const name = firstText(payload.hook_event_name);
    switch (name) {
      case "beforeSubmitPrompt":
        return common(payload, name, { type: "prompt", text: firstText(payload.prompt) ?? "" });
      case "preToolUse":
        return common(payload, name, {
          type: "call_asked",
          name: firstText(payload.tool_name) ?? "",
          args: argumentsOf(payload.tool_input),
        });
      case "postToolUse":
      case "postToolUseFailure": {
        const call = finishedCall({
          id: payload.tool_use_id,
          name: payload.tool_name,
          args: payload.tool_input,
          output: payload.tool_output ?? payload.error_message,
          isError: name === "postToolUseFailure" ? true : undefined,
        });
        return common(payload, name, { type: "results", calls: readable([call]) });
      }
      default:
        return undefined;
    }
  },
  answer(event, { context, refusal }) {
    if (refusal !== undefined) {
      return { permission: "deny", user_message: refusal, agent_message: refusal };
    }
    if (context === undefined || event.happened.type !== "results") return undefined;
    return { additional_context: context };
  },
};

function common(payload: Fields, name: string, happened: Happening): HookEvent | undefined {
  const session = firstText(payload.conversation_id, payload.session_id);
  if (session === undefined) return undefined;
  const promptId = firstText(payload.generation_id);
  return { name, session, happened, ...(promptId !== undefined && { promptId }) };
}
