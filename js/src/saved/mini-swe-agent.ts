// Trajectories of mini-swe-agent (`*.traj.json`), versions 1 and 2, as `save_traj` and
// `DefaultAgent.serialize` write them. Read are `info` (`mini_version`, `model_stats`,
// `config.model.model_name`, `config.environment.cwd`), `trajectory_format`, and `messages`, which are
// those of the model's provider with `extra` (`actions`, `returncode`).

import { fields, text } from "../messages/fields.js";
import { facts } from "./items.js";
import { MessageReader } from "./messages.js";
import type { SessionFacts } from "./saved-session.js";

/** Whether a property beside the messages says that they are mini-swe-agent's. */
export function isMiniSweAgentProperty(key: string, value: unknown): boolean {
  if (key === "trajectory_format") return /^mini-swe-agent/.test(text(value) ?? "");
  const { mini_version, model_stats } = fields(value);
  return key === "info" && (mini_version ?? model_stats) !== undefined;
}

/** Reads the messages of a trajectory, and what is said of the run beside them. */
export class MiniSweAgentReader extends MessageReader {
  constructor() {
    super("mini-swe-agent");
  }

  property(key: string, value: unknown): SessionFacts {
    if (key !== "info") return {};
    const { model, environment } = fields(fields(value).config);
    return facts({ model: fields(model).model_name, workingDirectory: fields(environment).cwd });
  }
}
