// A terminal that the command runs in: `script` gives it one, and xterm's own code says what a person
// sees there.

import { spawn } from "node:child_process";

import xterm from "@xterm/headless";

import { command } from "../node/installed-package.mjs";

/**
 * Runs the command in a terminal to its end.
 *
 * @param into a command that its output is piped to
 * @returns the exit code, and the lines on the screen after each piece of output
 */
export async function runOnScreen(args, { columns, rows = 500, env = {}, into }) {
  const quoted = [process.execPath, command, ...args].map((word) => `'${word}'`).join(" ");
  const whole = into === undefined ? `exec ${quoted}` : `${quoted} | ${into}`;
  const line = `stty cols ${columns} rows ${rows}; ${whole}`;
  const child = spawn("script", ["-q", "-e", "-f", "-c", line, "/dev/null"], {
    env: { PATH: process.env.PATH, TERM: "xterm-256color", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  const screens = [];
  const write = (data) => new Promise((resolve) => terminal.write(data, resolve));
  for await (const data of child.stdout) {
    await write(data);
    screens.push(linesOf(terminal));
  }
  const code = child.exitCode ?? (await new Promise((resolve) => child.on("close", resolve)));
  return { code, screens, lines: screens.at(-1) };
}

function linesOf(terminal) {
  const { active } = terminal.buffer;
  const lines = Array.from({ length: active.length }, (_, at) =>
    active.getLine(at).translateToString(true),
  );
  while (lines.at(-1) === "") lines.pop();
  return lines;
}

/** How many columns a text takes on that terminal. */
export async function widthOf(text) {
  const terminal = new xterm.Terminal({ cols: 2_000, rows: 2, allowProposedApi: true });
  await new Promise((resolve) => terminal.write(text, resolve));
  return terminal.buffer.active.cursorX;
}
