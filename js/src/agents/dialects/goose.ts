/** goose, whose hooks only watch: it tells of calls without their outputs, and no answer has an effect. */

import { argumentsOf, firstText } from "../fields.js";
import type { Dialect } from "../hook-event.js";

export const goose: Dialect = {
  requests: "untold",
  tellsResults: false,
  tellsPrompts: true,
  eventsDiffer: false,
  silence: "",
  read(payload) {
    const name = firstText(payload.event, payload.hook_event_name);
    const session = firstText(payload.session_id);
    if (name === undefined || session === undefined) return undefined;
    if (name === "UserPromptSubmit") {
      const text = firstText(payload.message, payload.prompt) ?? "";
      return { name, session, happened: { type: "prompt", text } };
    }
    const tool = firstText(payload.tool_name);
    if (name !== "PreToolUse" || tool === undefined) return undefined;
    const args = argumentsOf(payload.tool_input);
    return { name, session, happened: { type: "call_asked", name: tool, args } };
  },
  answer: () => undefined,
};
