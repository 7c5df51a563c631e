/**
 * gemini-cli. It has no ids but the session's. `PreCompress` fires before every request, whether or not
 * anything is compressed, so here it tells requests apart and nothing else.
 */

import { fieldsOf, firstText, readable } from "../fields.js";
import type { Dialect } from "../hook-event.js";

import { answerWithContext, callOf, common } from "./claude-code.js";

export const geminiCli: Dialect = {
  requests: "marked",
  tellsResults: true,
  tellsPrompts: true,
  eventsDiffer: true,
  // Anything that is no JSON would be shown to the user.
  silence: "{}\n",
  read(payload) {
    const name = firstText(payload.hook_event_name);
    switch (name) {
      case "BeforeAgent":
        return common(payload, name, { type: "prompt", text: firstText(payload.prompt) ?? "" });
      case "PreCompress":
        return common(payload, name, { type: "request" });
      case "AfterTool": {
        const failed = fieldsOf(payload.tool_response).error ? true : undefined;
        const calls = readable([callOf(payload, failed)]);
        return common(payload, name, { type: "results", calls });
      }
      default:
        return undefined;
    }
  },
  answer(event, { context, notice, end }) {
    if (event.happened.type === "request") return undefined;
    if (end !== undefined) return { continue: false, stopReason: end, reason: end };
    return answerWithContext(event, { context, notice });
  },
};
