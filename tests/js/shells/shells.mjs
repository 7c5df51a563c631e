// The shells of this machine, how they are started, and what is said in each of them.

import { createRequire } from "node:module";
import path from "node:path";

const require = createRequire(import.meta.url);

const { TURNKEEPER_ZSH = "zsh", TURNKEEPER_FISH = "fish" } = process.env;
const nushell = nushellOf("linux-x64");

/** What most shells show when they wait for a line; what is typed never contains it. */
export const PROMPT = "<waits>";

const posix = {
  /** Whether it can be taken to a directory of that name at all. */
  takes: () => true,
  prompt: PROMPT,
  script: (text) => ["-c", text],
  fromInput: [],
  /** Prints the exit code before it and where the shell stands. */
  stands: `printf '%s ' $?; /bin/pwd -P`,
  /** Says with which code the line before it ended and where the shell stands, in a new file. */
  report: (file) =>
    `echo $? > '${file}.part'; /bin/pwd -P >> '${file}.part'; mv '${file}.part' '${file}'`,
  exit: (code) => `sh -c 'exit ${code}'`,
};

const bash = { ...posix, program: "bash", interactive: ["--norc", "--noprofile", "-i"] };
const zsh = { ...posix, program: TURNKEEPER_ZSH, interactive: ["-f", "-i"] };
const dash = { ...posix, program: "dash", interactive: ["-i"] };

const fish = {
  ...posix,
  program: TURNKEEPER_FISH,
  script: (text) => ["--no-config", "-c", text],
  fromInput: ["--no-config"],
  stands: `printf '%s ' $status; /bin/pwd -P`,
  // What it draws as its prompt it draws again with each key.
  interactive: [
    "--no-config",
    "-C",
    "function shown --on-event fish_prompt; printf '<%s>' waits; end",
  ],
  report: (file) =>
    `begin; echo $status; /bin/pwd -P; end > '${file}.part'; mv '${file}.part' '${file}'`,
};

const nu = {
  ...posix,
  program: nushell,
  takes: (name) => !/\p{Cc}/u.test(name) && !name.includes("..."),
  script: (text) => ["--no-config-file", "-c", text],
  // It reads no commands from a file at its input, and a script ends where a command fails.
  fromInput: undefined,
  stands: "print -n $'($env.LAST_EXIT_CODE) '; ^/bin/pwd -P",
  interactive: ["--no-config-file", "-e", "$env.config.show_banner = false"],
  // Its editor asks where the cursor is when it begins, and draws the prompt again with each key.
  prompt: "\u001b[6n",
  report: (file) =>
    `$"($env.LAST_EXIT_CODE)\\n(^/bin/pwd -P)" | save '${file}.part'; mv '${file}.part' '${file}'`,
};

/** Each shell with the line that is written for it, and its name. */
export const shells = [
  { name: "bash", shell: "bash", ...bash },
  { name: "zsh", shell: "zsh", ...zsh },
  { name: "fish", shell: "fish", ...fish },
  ...(nushell ? [{ name: "nu", shell: "nu", ...nu }] : []),
  { name: "dash", shell: "sh", ...dash },
  { name: "bash as sh", shell: "sh", ...bash },
  { name: "zsh as sh", shell: "sh", ...zsh },
];

/** It is a package for one kind of machine. */
function nushellOf(machine) {
  if (machine !== `${process.platform}-${process.arch}`) return undefined;
  return path.join(path.dirname(require.resolve(`@nushell/${machine}/package.json`)), "bin/nu");
}
