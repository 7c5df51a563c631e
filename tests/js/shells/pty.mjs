// A shell at a terminal, typed into as VS Code types.

import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { PROMPT } from "./shells.mjs";

const LIMIT = 120_000;

export class Terminal {
  #process;
  #shell;
  #folder;
  #shown = "";
  /** Up to where what is shown has been waited for. */
  #seen = 0;

  /** Starts the shell in `directory`; what it reports goes through files in `folder`. */
  static async open(shell, directory, folder) {
    const terminal = new Terminal();
    terminal.#shell = shell;
    terminal.#folder = folder;
    const quoted = [shell.program, ...shell.interactive].map((word) => `'${escape(word)}'`);
    // A pseudo-terminal needs a size; some line editors draw nothing on one that has none.
    const command = `stty cols 500 rows 50; exec ${quoted.join(" ")}`;
    terminal.#process = spawn("script", ["-q", "-f", "-c", command, "/dev/null"], {
      cwd: directory,
      env: {
        HOME: folder,
        LANG: "C.UTF-8",
        PATH: process.env.PATH,
        // Each of them reads one of these, and no other file of the user's.
        PS1: PROMPT,
        PS2: "",
        SHELL: "/bin/sh",
        TERM: "xterm-256color",
      },
    });
    terminal.#process.stdout.setEncoding("latin1").on("data", (text) => terminal.#show(text));
    terminal.#process.stderr.setEncoding("latin1").on("data", (text) => terminal.#show(text));
    await terminal.#prompted();
    return terminal;
  }

  /** Types the line, and says with which code it ended and where the shell stands then. */
  async run(line) {
    const file = path.join(this.#folder, "report");
    await this.#type(line);
    await this.#prompted();
    await this.#type(this.#shell.report(file));
    await this.#until(() => existsSync(file), `no report after ${JSON.stringify(line)}`);
    const [, code, directory] = /^(\d+)\n(.*?)\n?$/s.exec(readFileSync(file, "utf8"));
    rmSync(file);
    await this.#prompted();
    return { code: Number(code), directory };
  }

  async close() {
    const gone = new Promise((resolve) => this.#process.once("exit", resolve));
    this.#process.kill("SIGKILL");
    await gone;
  }

  async #type(line) {
    this.#seen = this.#shown.length;
    this.#process.stdin.write(`${line.replace(/\r?\n/g, "\r")}\r`);
  }

  async #prompted() {
    const { prompt } = this.#shell;
    const place = () => this.#shown.indexOf(prompt, this.#seen);
    await this.#until(() => place() >= 0, "no prompt");
    this.#seen = place() + prompt.length;
  }

  async #until(isSo, what) {
    for (const start = Date.now(); !isSo(); await sleep(2)) {
      if (Date.now() - start < LIMIT) continue;
      const end = JSON.stringify(this.#shown.slice(-2_000));
      throw new Error(`${this.#shell.name}: ${what}; it shows ${end}`);
    }
  }

  #show(text) {
    this.#shown += text;
    // Where is the cursor?
    if (text.includes("\u001b[6n")) this.#process.stdin.write("\u001b[1;1R");
  }
}

const escape = (word) => word.replaceAll("'", "'\\''");
