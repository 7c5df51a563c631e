/**
 * Notes for the ledger of a session. Hooks write them as lines, without loading any machine; after a
 * compaction the ledger reads them and makes a text of them.
 */

import type { AgentEvent } from "turnkeeper";

import type { HookEvent } from "./hook-event.js";
import type { Machines } from "./judge.js";
import type { SessionStore } from "./state/session-store.js";

/** Of longer arguments and results the ledger needs no more than so many characters. */
const LONGEST_ARGUMENT = 2_000;
const LONGEST_RESULT = 800;

/** Writes down what happened in an event. */
export function noteEvent(
  store: SessionStore,
  key: string,
  { happened }: HookEvent,
  _load: () => Machines,
): void {
  if (happened.type === "prompt" && happened.text) {
    store.note(key, line({ type: "prompt", text: happened.text.slice(0, LONGEST_ARGUMENT) }));
  }
  if (happened.type !== "results") return;
  const events = happened.calls.flatMap(({ name, args, output, ...result }): AgentEvent[] => {
    const { id } = result;
    return [
      { type: "tool_call", name, args: shortened(args, 0), ...(id !== undefined && { id }) },
      { type: "tool_result", output: ends(output), ...result },
    ];
  });
  store.note(key, events.map(line).join(""));
}

/** The ledger of a session as facts; undefined if there is nothing to tell. */
export function ledgerText(
  _store: SessionStore,
  _key: string,
  _load: () => Machines,
): string | undefined {
  return undefined;
}

function line(event: object): string {
  return `${JSON.stringify(event)}\n`;
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
