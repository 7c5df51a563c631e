// The line that the selector of the packed package answers with.

import { turnkeeper } from "../node/installed-package.mjs";

const { TerminalSelector } = turnkeeper;

/**
 * The line that takes a shell from a folder above `directory` into it and runs the command there,
 * or undefined where a terminal has to be created instead.
 */
export function lineFor(shell, directory, command, platform = "posix") {
  const selector = new TerminalSelector({ platform });
  try {
    const provider = "tests";
    const workingDirectory = rootOf(directory, platform);
    selector.register({ id: 1, provider, shell, workingDirectory });
    const choice = selector.select({ command, workingDirectory: directory, provider, shell });
    return choice.action === "reuse_with_cd" ? choice.command : undefined;
  } finally {
    selector.dispose();
  }
}

function rootOf(directory, platform) {
  if (platform === "posix") return "/";
  const share = /^\\\\\?\\C:\\|^\\\\[^\\]+\\[^\\]+/.exec(directory);
  return share ? share[0] : directory.slice(0, 3);
}
