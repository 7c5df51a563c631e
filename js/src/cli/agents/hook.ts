import { Argument, Command } from "commander";

import { HOOKED_AGENTS, type HookedAgent, type Watching } from "../../agents/agents.js";
import { answerHook } from "../../agents/hook.js";
import { LoopDetector, WorkLedger } from "turnkeeper";

import { economyOption, modeOption } from "./command-options.js";

/** `turnkeeper hook`, which installed hooks reach by a quicker way. */
export function hookCommand(): Command {
  return new Command("hook")
    .summary("answer one event of an agent's hook")
    .description(
      "Answer one event of an agent's hook: JSON on standard input, JSON on standard output.",
    )
    .addArgument(new Argument("<agent>", "the agent").choices(HOOKED_AGENTS))
    .argument("[event]", "the event's name, if the JSON does not have it")
    .addOption(modeOption())
    .addOption(economyOption())
    .action((agent: HookedAgent, event: string | undefined, { mode, economy = false }: Watching) =>
      answerHook({ agent, event, mode, economy }, { LoopDetector, WorkLedger }),
    );
}
