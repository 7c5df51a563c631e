import type { AgentEvent } from "turnkeeper";

import { oneLine } from "../../../js/src/analysis/plain-text.js";

/** The same call, several times in a row. */
export interface Repeat {
  first: number;
  last: number;
  tool: string;
}

/** So many are shown. */
const SHOWN = 200;

/** Finds calls that are made again at once with the same arguments. */
export class Repeats {
  readonly #found: Repeat[] = [];
  #calls = 0;
  #last = "";
  #run: Repeat | undefined;

  take(event: AgentEvent): void {
    if (event.type !== "tool_call") return;
    const args = typeof event.args === "string" ? event.args : JSON.stringify(event.args);
    const call = `${event.name}\n${args}`;
    const at = this.#calls++;
    if (call !== this.#last) {
      this.#last = call;
      this.#run = undefined;
    } else if (this.#run) {
      this.#run.last = at;
    } else {
      this.#run = { first: at - 1, last: at, tool: oneLine(event.name, 80) };
      this.#found.push(this.#run);
    }
  }

  /** The longest ones, in their order. */
  longest(): Repeat[] {
    const length = ({ first, last }: Repeat): number => last - first;
    if (this.#found.length <= SHOWN) return this.#found;
    const kept = [...this.#found].sort((a, b) => length(b) - length(a)).slice(0, SHOWN);
    return kept.sort((a, b) => a.first - b.first);
  }
}
