/**
 * Qwen Code. `UserPromptSubmit` fires before every request of a turn; after the first one the prompt is
 * empty, and that is also the only place where a turn can be ended.
 */

import { firstText, readable } from "../fields.js";
import type { Dialect } from "../hook-event.js";

import { answerWithContext, callOf, common, compactedAt } from "./claude-code.js";

export const qwenCode: Dialect = {
  requests: "marked",
  tellsResults: true,
  tellsPrompts: true,
  eventsDiffer: true,
  silence: "",
  read(payload) {
    const name = firstText(payload.hook_event_name);
    switch (name) {
      case "UserPromptSubmit": {
        const text = firstText(payload.prompt);
        return common(
          payload,
          name,
          text === undefined ? { type: "request" } : { type: "prompt", text },
        );
      }
      case "PostToolUse":
        return common(payload, name, { type: "results", calls: readable([callOf(payload)]) });
      case "PostToolUseFailure":
        return common(payload, name, { type: "results", calls: readable([callOf(payload, true)]) });
      case "SessionStart":
        return compactedAt(payload, name);
      default:
        return undefined;
    }
  },
  answer(event, { context, notice, end }) {
    if (event.happened.type === "request") {
      if (end === undefined) return undefined;
      return { decision: "block", reason: end, continue: false, stopReason: end };
    }
    return answerWithContext(event, { context, notice });
  },
};
