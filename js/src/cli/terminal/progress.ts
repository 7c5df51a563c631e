import { fstatSync, statSync } from "node:fs";

import { createLogUpdate } from "log-update";

import { oneLine } from "../../analysis/plain-text.js";
import { attempt } from "../files/file-questions.js";
import type { Input } from "../files/inputs.js";

import { clip } from "./columns.js";

/** The bar that is on the terminal now; there is one terminal, so there is at most one. */
const terminal: { bar: Progress | undefined } = { bar: undefined };

/** Writes something while the bar is out of the way, and draws the bar again below it. */
export function besideBar(write: () => void): void {
  terminal.bar?.clear();
  write();
  terminal.bar?.draw();
}

/** Shows on a terminal how much of the files has been read; elsewhere and in a pipe, nothing. */
export class Progress {
  readonly #show: ReturnType<typeof createLogUpdate> | undefined;
  readonly #total: number = 0;
  #read = 0;
  #file = "";
  #drawn = 0;

  constructor(inputs: readonly Input[]) {
    if (!process.stderr.isTTY || isPipe(process.stdout.fd) || inputs.length === 0) return;
    this.#show = createLogUpdate(process.stderr);
    this.#total = Math.max(1, bytesOf(inputs));
    terminal.bar = this;
    this.draw();
  }

  /** Names the file that is being read. */
  file(name: string): void {
    this.#file = name;
  }

  /** Counts bytes that have been read. */
  read(bytes: number): void {
    if (!this.#show) return;
    this.#read += bytes;
    if (Date.now() - this.#drawn >= BETWEEN_FRAMES) this.draw();
  }

  /** Takes the bar away for good, after it has shown its end. */
  end(): void {
    if (!this.#show) return;
    this.draw();
    terminal.bar = undefined;
    this.#show.clear();
    this.#show.done();
  }

  draw(): void {
    const { columns = 80 } = process.stderr;
    const share = Math.min(1, this.#read / this.#total);
    const cells = Math.min(30, Math.floor(columns / 3));
    const full = Math.floor(share * cells);
    const bar = "█".repeat(full) + "░".repeat(cells - full);
    const percent = `${Math.floor(100 * share)}%`;
    // One column stays free: a full line would be two on some terminals.
    const room = columns - cells - percent.length - 3;
    const name = clip(oneLine(this.#file, 4_000), Math.min(room, 60), "start");
    this.#show?.(`${bar} ${percent} ${name}`);
    this.#drawn = Date.now();
  }

  clear(): void {
    this.#show?.clear();
  }
}

/** Whether the output goes to another program, which may write to the same terminal as the bar. */
function isPipe(descriptor: number): boolean {
  // Where it is closed, nothing can be in the way of the bar.
  const stat = attempt(() => fstatSync(descriptor));
  return stat !== undefined && (stat.isFIFO() || stat.isSocket());
}

/** Milliseconds that a frame stays at least. */
const BETWEEN_FRAMES = 60;

/** How large all files are together; what cannot be read counts as nothing. */
export function bytesOf(inputs: readonly Input[]): number {
  const files = inputs.flatMap(({ file, parts }) => parts ?? [file]);
  return files.reduce((sum, file) => sum + (attempt(() => statSync(file).size) ?? 0), 0);
}
