/** What the ledger of a session has to hear of its events. */

import type { AgentEvent, WorkLedger } from "turnkeeper";

import type { HookEvent } from "./hook-event.js";

/** The most characters of arguments and results that the ledger needs. */
const LONGEST_ARGUMENT = 2_000;
const LONGEST_RESULT = 800;

/** A line for the ledger: a call, a result or a prompt. */
export type LedgerNote = AgentEvent | { type: "prompt"; text: string };

/** What the ledger has to hear of an event. */
export function notesOf(happened: HookEvent["happened"]): LedgerNote[] {
  if (happened.type === "prompt" && happened.text) {
    return [{ type: "prompt", text: happened.text.slice(0, LONGEST_ARGUMENT) }];
  }
  if (happened.type !== "results") return [];
  return happened.calls.flatMap(({ name, args, output, ...result }): AgentEvent[] => {
    const { id } = result;
    return [
      { type: "tool_call", name, args: shortened(args, 0), ...(id !== undefined && { id }) },
      { type: "tool_result", output: ends(output), ...result },
    ];
  });
}

/** Shows the ledger a note. */
export function tell(ledger: WorkLedger, note: LedgerNote): void {
  if (note.type === "prompt") ledger.prompt(note.text);
  else ledger.observe(note);
}

function ends(text: string): string {
  if (text.length <= 2 * LONGEST_RESULT) return text;
  return `${text.slice(0, LONGEST_RESULT)}\n…\n${text.slice(-LONGEST_RESULT)}`;
}

const DEEPEST = 4;
const MOST_ITEMS = 20;

/** Arguments with their long texts cut. */
function shortened(value: unknown, depth: number): unknown {
  if (typeof value === "string") return value.slice(0, LONGEST_ARGUMENT);
  if (typeof value !== "object" || value === null) return value;
  if (depth === DEEPEST) return undefined;
  if (Array.isArray(value)) return value.slice(0, MOST_ITEMS).map((it) => shortened(it, depth + 1));
  const entries = Object.entries(value).slice(0, MOST_ITEMS);
  return Object.fromEntries(entries.map(([name, it]) => [name, shortened(it, depth + 1)]));
}
