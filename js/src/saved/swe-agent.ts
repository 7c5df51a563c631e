import { fields, parsed, text } from "./fields.js";
import { type RecordReader, type SavedRecord, Unreadable } from "./saved-session.js";
import type { AgentEvent } from "../boundary/generated/shapes.js";

/** Whether it is a step of a trajectory of SWE-agent (`.traj`). */
export function isSweAgentStep(value: unknown): boolean {
  const { action, observation, thought, response } = fields(value);
  return (
    typeof action === "string" &&
    typeof (observation ?? "") === "string" &&
    (typeof thought === "string" || typeof response === "string")
  );
}

/** Reads the `trajectory` of a `.traj` file; its `history` says the same. */
export class SweAgentReader implements RecordReader {
  readonly format = "swe-agent";

  read(value: unknown): Omit<SavedRecord, "place"> {
    if (!isSweAgentStep(value)) throw new Unreadable("is no step: it has no action and thought");
    const step = fields(value);
    const events: AgentEvent[] = [{ type: "turn_started" }];
    const thought = text(step.thought) ?? text(step.response) ?? "";
    if (thought !== "") events.push({ type: "text", text: thought });
    const action = (step.action as string).trim();
    if (action !== "") {
      // The command's first word is the tool: edit, open, submit, or a program.
      const [, name = action, args = ""] = /^(\S+)\s*([^]*)$/.exec(action) ?? [];
      events.push({ type: "tool_call", name, args });
      if (typeof step.observation === "string") {
        events.push({ type: "tool_result", output: step.observation });
      }
    }
    const state = fields(parsed(step.state));
    const directory = text(state.working_dir);
    return {
      items: events.map((event) => ({ event })),
      ...(directory !== undefined && { workingDirectory: directory }),
    };
  }
}
