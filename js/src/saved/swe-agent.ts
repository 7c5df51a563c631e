import { answered, called, said } from "../messages/events.js";
import { fields, parsed, text } from "../messages/fields.js";
import { facts, turn } from "./items.js";
import { Unreadable, type RecordReader } from "./saved-session.js";

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
export const SWE_AGENT: RecordReader = {
  format: "swe-agent",

  read(value) {
    if (!isSweAgentStep(value)) throw new Unreadable("is no step: it has no action and thought");
    const { action, thought, response, observation, state } = fields(value);
    const answer = said("text", text(thought) ?? response);
    const command = (action as string).trim();
    if (command !== "") {
      // The command's first word is the tool: edit, open, submit, or a program.
      const [, name, args] = /^(\S+)\s*([^]*)$/.exec(command)!;
      answer.push(called(undefined, name, args));
      if (typeof observation === "string") answer.push(answered(undefined, observation));
    }
    const workingDirectory = fields(parsed(state)).working_dir;
    return { items: turn(answer), ...facts({ workingDirectory }) };
  },
};
