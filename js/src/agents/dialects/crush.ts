/** crush, which tells of calls before they run and of no results. */

import { argumentsOf, firstText } from "../fields.js";
import type { Dialect } from "../hook-event.js";

export const crush: Dialect = {
  requests: "untold",
  tellsResults: false,
  tellsPrompts: false,
  eventsDiffer: false,
  silence: "",
  read(payload) {
    const name = firstText(payload.event, payload.hook_event_name);
    const session = firstText(payload.session_id);
    const tool = firstText(payload.tool_name);
    if (name !== "PreToolUse" || session === undefined || tool === undefined) return undefined;
    const args = argumentsOf(payload.tool_input);
    return { name, session, happened: { type: "call_asked", name: tool, args } };
  },
  answer(_event, { context, end, refusal }) {
    const reason = end ?? refusal;
    if (reason !== undefined) return { halt: true, reason };
    return context === undefined ? undefined : { context };
  },
};
