// A visit to VS Code for its terminals: real shells, in real directories.

import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import path from "node:path";

import { temporaryFolder } from "../packaging/app.mjs";
import { buildExtension } from "./extension-build.mjs";
import { endsWell, leaveTraces, observations, withLimit } from "./visit.mjs";
import { VsCodeServer } from "./vscode-server.mjs";
import { Workbench } from "./workbench.mjs";

const { TURNKEEPER_ZSH = "/usr/bin/zsh", TURNKEEPER_FISH = "/usr/bin/fish" } = process.env;

/** Those that report to VS Code by themselves. */
export const SHELLS = [
  { name: "bash", shellPath: "/bin/bash", shellArgs: [] },
  { name: "zsh", shellPath: TURNKEEPER_ZSH, shellArgs: [] },
  { name: "fish", shellPath: TURNKEEPER_FISH, shellArgs: [] },
];

/** Names of directories that a shell could take for something else. */
export const HOSTILE = [
  "a b",
  "it's",
  'say "hi"',
  "$(touch ran)",
  "`touch ran`",
  "a;touch ran",
  "a&touch ran",
  "-leading",
  "%VAR%",
  "bang!!",
  "*[a-z]?",
  "二级目录",
  "back\\slash",
  "{a,b}",
  "~",
];

/** For a late shell: it waits for a file, or for a number of seconds, before VS Code's own script runs. */
const LATE = `
if [ -n "$GATE" ]; then until [ -e "$GATE" ]; do sleep 0.1; done; fi
if [ -n "$SLOW" ]; then sleep "$SLOW"; fi
`;

const LATE_FISH = `
if set -q GATE
    while not test -e "$GATE"
        sleep 0.1
    end
end
`;

/** Runs a line as no shell that reports would, and then has VS Code's script run by one that does. */
const BECOMES_BASH = `#!/bin/sh
read -r line
eval "$line"
unset VSCODE_SHELL_INTEGRATION
exec /bin/bash --init-file "${process.env.TURNKEEPER_CODE_SERVER}/lib/vscode/out/vs/workbench/contrib/terminal/common/scripts/shellIntegration-bash.sh" -i
`;

/** A zsh that has one does not ask its user for it. */
function writeStartUpFiles(home) {
  for (const name of [".bashrc", ".zshrc"]) writeFileSync(path.join(home, name), LATE);
  const fish = path.join(home, ".config/fish");
  mkdirSync(fish, { recursive: true });
  writeFileSync(path.join(fish, "config.fish"), LATE_FISH);
}

export async function visitTerminals() {
  const seen = { failure: undefined, inside: {}, root: "" };
  let server, workbench;
  try {
    const extension = await buildExtension();
    const home = realpathSync(temporaryFolder());
    server = await VsCodeServer.start(home);
    seen.root = path.join(home, "project");
    for (const name of ["src/deep", "docs", ...HOSTILE]) {
      mkdirSync(path.join(seen.root, name), { recursive: true });
    }
    writeStartUpFiles(home);
    const becomesBash = path.join(home, "becomes-bash");
    writeFileSync(becomesBash, BECOMES_BASH, { mode: 0o755 });
    const given = { root: seen.root, shells: SHELLS, hostile: HOSTILE, becomesBash };
    writeFileSync(path.join(server.workspace, "given.json"), JSON.stringify(given));
    workbench = await Workbench.open(server, extension);
    await withLimit(async () => {
      await endsWell(workbench.run("node", "tests/terminals-late.js"));
      await endsWell(workbench.run("node", "tests/terminals.js"));
      // VS Code writes down which terminals a window has some time after they were made.
      await workbench.page.waitForTimeout(10_000);
      await endsWell(workbench.run("node", "tests/terminals-after-restart.js"));
    }, 900_000);
  } catch (error) {
    seen.failure = error;
  }
  if (server) seen.inside = observations(server.workspace);
  seen.traces = await leaveTraces("terminals", server, workbench);
  await workbench?.close();
  await server?.stop();
  return seen;
}
