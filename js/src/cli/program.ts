import { readFileSync } from "node:fs";

import { Command, CommanderError } from "commander";

import { TurnkeeperError } from "turnkeeper";

import { hookCommand } from "./agents/hook.js";
import { installCommand } from "./agents/install.js";
import { statusCommand } from "./agents/status.js";
import { uninstallCommand } from "./agents/uninstall.js";
import { auditCommand } from "./audit/command.js";
import { complain } from "./complain.js";
import { EXIT } from "./exit-code.js";
import { repairCommand } from "./repair/command.js";
import { replayCommand } from "./replay/command.js";

/** Runs the command that the arguments name: the exit code. */
export async function runCommand(args: string[]): Promise<number> {
  let code: number = EXIT.ok;
  const program = new Command("turnkeeper")
    .description(
      "Keeps every turn of a coding agent on course. Without a command it audits: what did my " +
        "agents waste, and on what?",
    )
    .version(version(), "-v, --version", "print the version of the package")
    .helpOption("-h, --help", "print this text")
    .helpCommand("help [command]", "explain a command")
    // `-v` means something else after the name of a command.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ outputError: (message) => complain(oneProblem(message)) });
  const commands = [
    auditCommand,
    repairCommand,
    replayCommand,
    installCommand,
    uninstallCommand,
    statusCommand,
    hookCommand,
  ];
  for (const make of commands) {
    const command = make((exitCode) => (code = exitCode));
    command.copyInheritedSettings(program).helpOption("-h, --help", "print this text");
    // Without a name it is the audit that is asked for.
    program.addCommand(command, { isDefault: make === auditCommand });
  }
  try {
    await program.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.badInput;
    // An option that only a machine can judge, such as the name of a tag.
    if (error instanceof TurnkeeperError) return complain(error.message);
    throw error;
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
