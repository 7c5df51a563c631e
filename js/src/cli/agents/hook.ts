import { Argument, Command, Option } from "commander";

import {
  DEFAULT_MODE,
  HOOKED_AGENTS,
  type HookedAgent,
  MODES,
  type Watching,
} from "../../agents/agents.js";
import { readStandardInput } from "../../agents/hook-input.js";
import { runHook } from "../../agents/hook.js";
import { LoopDetector, WorkLedger } from "turnkeeper";
import { EXIT } from "../exit-code.js";

import { economyOption } from "./command-options.js";

/** `turnkeeper hook`, which installed hooks reach by a quicker way. */
export function hookCommand(done: (exitCode: number) => void): Command {
  return new Command("hook")
    .summary("answer one event of an agent's hook")
    .description(
      "Answer one event of an agent's hook: JSON on standard input, JSON on standard output.",
    )
    .addArgument(new Argument("<agent>", "the agent").choices(HOOKED_AGENTS))
    .argument("[event]", "the event's name, if the JSON does not have it")
    .addOption(new Option("--mode <mode>", "how far it goes").choices(MODES).default(DEFAULT_MODE))
    .addOption(economyOption())
    .action((agent: HookedAgent, event: string | undefined, how: Partial<Watching>) => {
      const { mode = DEFAULT_MODE, economy = false } = how;
      const isOff = process.env.TURNKEEPER === "off";
      const startedAt = performance.timeOrigin;
      const machines = { LoopDetector, WorkLedger };
      if (isOff) readStandardInput();
      else
        process.stdout.write(
          runHook(readStandardInput, { agent, event, mode, economy, machines, startedAt }),
        );
      done(EXIT.ok);
    });
}
