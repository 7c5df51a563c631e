import { readFileSync } from "node:fs";

import { Command, CommanderError } from "commander";

import { TurnkeeperError } from "turnkeeper";

import { auditCommand } from "./audit/command.js";
import { complain } from "./complain.js";
import { EXIT, endWith } from "./exit-code.js";
import { repairCommand } from "./repair/command.js";
import { replayCommand } from "./replay/command.js";

/** What the launcher has the native program do. */
const NATIVE_COMMANDS = `
Watch the agents that you use:
  install [agent...]          through their hooks and plugins
  status                      which are watched, and what was said to them
  uninstall [agent...]        take it out again, to the byte
  hook <agent>                answer one event of an agent's hook

"turnkeeper COMMAND --help" explains each.`;

/**
 * Runs the command that the arguments name, which sets the exit code and does not end the process: what has been
 * written to a pipe may not have gone out yet.
 */
export async function runCommand(args: string[]): Promise<void> {
  const program = new Command("turnkeeper")
    .description(
      "Keeps every turn of a coding agent on course. Without a command it audits: what did my " +
        "agents waste, and on what?",
    )
    .version(version(), "-v, --version", "print the version of the package")
    .helpOption("-h, --help", "print this text")
    .helpCommand("help [command]", "explain a command")
    .addHelpText("after", NATIVE_COMMANDS)
    // `-v` means something else after the name of a command.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ outputError: (message) => complain(oneProblem(message)) });
  const commands = [auditCommand, repairCommand, replayCommand];
  for (const make of commands) {
    const command = make();
    command.copyInheritedSettings(program).helpOption("-h, --help", "print this text");
    // Without a name it is the audit that is asked for.
    program.addCommand(command, { isDefault: make === auditCommand });
  }
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    // An option that only a machine can judge, such as the name of a tag.
    if (error instanceof TurnkeeperError) complain(error.message);
    else if (!(error instanceof CommanderError)) throw error;
    else if (error.exitCode !== 0) endWith(EXIT.badInput);
  }
}

/** The parser's complaint in the form of all others: one line, and no "error:" in it. */
function oneProblem(message: string): string {
  return message.replace(/^error: /, "");
}

function version(): string {
  const manifest = new URL("../package.json", import.meta.url);
  return (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version;
}
