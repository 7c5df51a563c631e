/**
 * Codex. A stop at `PostToolUse` only replaces the result, so what follows is refused at `PreToolUse`. Its
 * results are bare text, without an exit code, and a field that it does not know makes it refuse the answer.
 */

import { argumentsOf, firstText, readable } from "../fields.js";
import type { Dialect } from "../hook-event.js";

import { answerWithContext, callOf, common, compactedAt, refusal } from "./claude-code.js";

export const codex: Dialect = {
  requests: "untold",
  tellsResults: true,
  tellsPrompts: true,
  eventsDiffer: true,
  silence: "",
  read(payload) {
    const name = firstText(payload.hook_event_name);
    switch (name) {
      case "UserPromptSubmit":
        return common(payload, name, { type: "prompt", text: firstText(payload.prompt) ?? "" });
      case "PreToolUse":
        return common(payload, name, {
          type: "call_asked",
          name: firstText(payload.tool_name) ?? "",
          args: argumentsOf(payload.tool_input),
        });
      case "PostToolUse":
        return common(payload, name, { type: "results", calls: readable([callOf(payload)]) });
      case "SessionStart":
        return compactedAt(payload, name);
      default:
        return undefined;
    }
  },
  answer(event, { context, notice, refusal: reason }) {
    if (reason !== undefined) return refusal(event, reason);
    return answerWithContext(event, { context, notice });
  },
};
