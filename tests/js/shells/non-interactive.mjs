// A shell that runs a script, given as an argument or read from its input.

import { spawnSync } from "node:child_process";
import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Runs `text`, in the place's start if nothing else is said; what it printed, and its exit code. */
export function runScript(shell, text, place, { directory = place.start, fromInput = false } = {}) {
  const file = path.join(place.folder, "script");
  writeFileSync(file, text);
  // A file, because fish takes the sockets that Node makes for folders.
  const input = openSync(fromInput ? file : "/dev/null");
  // What it prints goes to a file as well: from the socket, `<&1` in zsh would wait for ever.
  const printed = path.join(place.folder, "printed");
  const output = openSync(printed, "w");
  try {
    // The other pipe ends with the last process in the background.
    const { error, status, stderr } = spawnSync(
      shell.program,
      fromInput ? shell.fromInput : shell.script(text),
      {
        cwd: directory,
        stdio: [input, output, "pipe"],
        encoding: "utf8",
        env: { HOME: place.folder, LANG: "C.UTF-8", PATH: process.env.PATH },
        timeout: 120_000,
      },
    );
    if (error) throw error;
    return { code: status, stdout: readFileSync(printed, "utf8"), stderr };
  } finally {
    closeSync(input);
    closeSync(output);
  }
}
