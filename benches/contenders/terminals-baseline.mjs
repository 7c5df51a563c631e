// Terminals chosen as Roo Code chooses them.

import path from "node:path";

/** As Roo compares paths: normalised anew each time, without separators at the end. */
function normal(text) {
  const plain = path.normalize(text);
  return plain.length > 1 && plain.endsWith("/") ? plain.slice(0, -1) : plain;
}
const areEqual = (a, b) => normal(a) === normal(b);
const canChange = (from, to) => {
  const [a, b] = [normal(from), normal(to)];
  return a === b || b.startsWith(`${a}/`) || a.startsWith(`${b}/`);
};

class Terminal {
  busy = false;
  changes = 0;
  constructor({ id, provider, taskId, workingDirectory }) {
    Object.assign(this, { id, provider, taskId, directory: workingDirectory });
  }
  getCurrentWorkingDirectory() {
    return this.directory;
  }
}

/**
 * What a registry in TypeScript does, in a few lines of our own after Roo Code's, which publishes no
 * such class: up to four passes of `find` over all terminals.
 */
export function contender(terminals) {
  const all = terminals.map((terminal) => new Terminal(terminal));
  const pass = (isBound, fits, { provider, taskId, workingDirectory }) =>
    all.find((terminal) => {
      if (terminal.busy || terminal.provider !== provider) return false;
      if (isBound && terminal.taskId !== taskId) return false;
      const directory = terminal.getCurrentWorkingDirectory();
      return directory !== undefined && fits(directory, workingDirectory);
    });
  return {
    name: "Roo's way",
    take(request) {
      const terminal =
        pass(true, areEqual, request) ??
        pass(true, canChange, request) ??
        pass(false, areEqual, request) ??
        pass(false, canChange, request);
      if (terminal === undefined) return { action: "create", command: request.command };
      const { id } = terminal;
      return { action: "reuse", terminalId: id, command: request.command };
    },
  };
}
