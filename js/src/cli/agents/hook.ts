import { Command } from "commander";

import { HOOKED_AGENTS, MODES } from "../../agents/agents.js";
import { hookArguments } from "../../agents/hook-arguments.js";
import { answerHook } from "../../agents/hook.js";
import { LoopDetector, WorkLedger } from "turnkeeper";

const ARGUMENTS = `
Arguments and options:
  agent            ${HOOKED_AGENTS.join(", ")}
  event            the event's name, if the JSON does not have it
  --mode <mode>    ${MODES.join(", ")}
  --economy        send a long result that came before as one line

A name or an option that is not known is answered with nothing, and with exit code 0: agents take
any other for a refusal.`;

/** `turnkeeper hook`, which installed hooks reach by a quicker way. */
export function hookCommand(): Command {
  return new Command("hook")
    .summary("answer one event of an agent's hook")
    .description(
      "Answer one event of an agent's hook: JSON on standard input, JSON on standard output.",
    )
    .argument("[arguments...]")
    .usage("<agent> [event] [options]")
    .allowUnknownOption()
    .addHelpText("after", ARGUMENTS)
    .action((words: string[]) => answerHook(hookArguments(words), { LoopDetector, WorkLedger }));
}
