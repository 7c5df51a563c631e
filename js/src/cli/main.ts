import { readFileSync } from "node:fs";

import { escapeControls } from "../replay/plain-text.js";

import { EXIT } from "./exit-code.js";
import { replay } from "./replay.js";
import { endQuietlyOnBrokenPipe } from "./terminal.js";

const HELP = `turnkeeper: keeps every turn of a coding agent on course

usage: turnkeeper <command> [options]

commands:
  replay FILE…   play recorded sessions through the loop detector, event by event

options:
  -h, --help     this text; "turnkeeper replay --help" explains the command
  --version      the version of the package
`;

async function main([command, ...rest]: string[]): Promise<number> {
  switch (command) {
    case "replay":
      return replay(rest);
    case "-h":
    case "--help":
    case "help":
      process.stdout.write(HELP);
      return EXIT.ok;
    case "--version":
      process.stdout.write(`${version()}\n`);
      return EXIT.ok;
    case undefined:
      process.stderr.write(HELP);
      return EXIT.badInput;
    default:
      process.stderr.write(
        `turnkeeper: there is no command ${escapeControls(JSON.stringify(command))}; ` +
          `"turnkeeper --help" lists them\n`,
      );
      return EXIT.badInput;
  }
}

function version(): string {
  const manifest = new URL("../package.json", import.meta.url);
  return (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version;
}

endQuietlyOnBrokenPipe();
// Not process.exit(): what has been written to a pipe may not have gone out yet.
process.exitCode = await main(process.argv.slice(2));
