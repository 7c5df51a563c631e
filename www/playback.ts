import type { Row } from "./rows.js";

/** How many rows have been shown, and whether more come by themselves. */
export class Playback {
  position = 0;
  running = false;
  #rows: readonly Row[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #onChange: (why: Change) => void;

  constructor(onChange: (why: Change) => void) {
    this.#onChange = onChange;
  }

  /** Begins with other rows. */
  load(rows: readonly Row[]): void {
    this.#halt();
    this.#rows = rows;
    this.position = 0;
    this.#onChange("load");
  }

  get length(): number {
    return this.#rows.length;
  }

  get atEnd(): boolean {
    return this.position >= this.#rows.length;
  }

  step(): void {
    this.#halt();
    if (this.atEnd) return;
    this.#next();
    this.#onChange("step");
  }

  /** Goes on until a loop is found, or to the end. */
  run(): void {
    if (this.running || this.atEnd) return;
    this.running = true;
    this.#onChange("run");
    this.#tick();
  }

  pause(): void {
    if (!this.running) return;
    this.#halt();
    this.#onChange("pause");
  }

  toEnd(): void {
    this.#halt();
    this.position = this.#rows.length;
    this.#onChange("end");
  }

  reset(): void {
    this.#halt();
    this.position = 0;
    this.#onChange("reset");
  }

  #tick(): void {
    // A long session goes by in half a minute, a short one at a pace to read along.
    const rows = Math.ceil(this.#rows.length / LONGEST_RUN);
    let stopped = false;
    for (let count = 0; count < rows && !this.atEnd && !stopped; count += 1) stopped = this.#next();
    if (stopped || this.atEnd) {
      this.#halt();
      this.#onChange("pause");
    } else {
      this.#onChange("tick");
      this.#timer = setTimeout(() => this.#tick(), PACE);
    }
  }

  /** Shows a row, and with a stop what it saved; whether it was one. */
  #next(): boolean {
    const row = this.#rows[this.position++];
    const stopped = row?.kind === "event" && row.verdict.action === "stop";
    if (stopped && this.#rows[this.position]?.kind === "saved") this.position += 1;
    return stopped;
  }

  #halt(): void {
    clearTimeout(this.#timer);
    this.running = false;
  }
}

export type Change = "load" | "step" | "run" | "tick" | "pause" | "end" | "reset";

/** Milliseconds from one row to the next. */
const PACE = 120;

/** In ticks. */
const LONGEST_RUN = 250;
