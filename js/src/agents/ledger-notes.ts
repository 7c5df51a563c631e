/**
 * Notes for the ledger of a session. Hooks write them as lines, without loading any machine; after a
 * compaction the ledger reads them and makes a text of them.
 */

import type { AgentEvent, WorkLedger } from "turnkeeper";

import type { HookEvent } from "./hook-event.js";
import type { Machines } from "./judge.js";
import { wordsOf } from "./prompts.js";
import type { SessionStore } from "./state/session-store.js";

/** Longer notes are replaced by a snapshot of the ledger that they make. */
const MOST_BYTES = 1_000_000;

/** What the ledger reads, a line each. */
type Note = LedgerNote | { type: "snapshot"; bytes: string };

/** Writes down what happened in an event. */
export function noteEvent(
  store: SessionStore,
  key: string,
  { happened }: HookEvent,
  machines: Machines,
): void {
  const notes = notesOf(happened);
  if (notes.length === 0) return;
  store.note(key, notes.map(lineOf).join(""));
  if (store.notesSize(key) <= MOST_BYTES) return;
  const ledger = ledgerOf(store.notes(key), machines);
  const bytes = Buffer.from(ledger.snapshot()).toString("base64");
  store.replaceNotes(key, lineOf({ type: "snapshot", bytes }));
  ledger.dispose();
}

/** The ledger of a session as facts; undefined if there is nothing to tell. */
export function ledgerText(
  store: SessionStore,
  key: string,
  machines: Machines,
): string | undefined {
  const notes = store.notes(key);
  if (notes === "") return undefined;
  const ledger = ledgerOf(notes, machines);
  const text = ledger.text();
  ledger.dispose();
  return text === "" ? undefined : text;
}

function ledgerOf(notes: string, machines: Machines): WorkLedger {
  const { WorkLedger } = machines;
  let ledger = new WorkLedger();
  for (const line of notes.split("\n")) {
    try {
      const note = JSON.parse(line) as Note;
      if (note.type === "snapshot") {
        ledger = WorkLedger.restore(Buffer.from(note.bytes, "base64"));
      } else {
        tell(ledger, note);
      }
    } catch {
      // A line that was cut, when the disk was full.
    }
  }
  return ledger;
}

function lineOf(note: Note): string {
  return `${JSON.stringify(note)}\n`;
}

/** The most characters of arguments and results that the ledger needs. */
const LONGEST_ARGUMENT = 2_000;
const LONGEST_RESULT = 800;

/** A line for the ledger: a call, a result or a prompt. */
export type LedgerNote = AgentEvent | { type: "prompt"; text: string };

/** What the ledger has to hear of an event. */
export function notesOf(happened: HookEvent["happened"]): LedgerNote[] {
  if (happened.type === "prompt") {
    const words = wordsOf(happened.text);
    return words ? [{ type: "prompt", text: words.slice(0, LONGEST_ARGUMENT) }] : [];
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
  if (typeof value === "string") return shortText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth === DEEPEST) return undefined;
  if (Array.isArray(value)) return value.slice(0, MOST_ITEMS).map((it) => shortened(it, depth + 1));
  const entries = Object.entries(value).slice(0, MOST_ITEMS);
  return Object.fromEntries(entries.map(([name, it]) => [name, shortened(it, depth + 1)]));
}

/** Both ends of a long text and its length, since texts that differ in the middle are no equals; of a patch, what names its files. */
function shortText(text: string): string {
  if (text.length <= LONGEST_ARGUMENT) return text;
  if (text.startsWith("*** Begin Patch")) {
    const names = text.split("\n").filter((line) => line.startsWith("*** "));
    return names.join("\n").slice(0, LONGEST_ARGUMENT);
  }
  const half = LONGEST_ARGUMENT / 2;
  return `${text.slice(0, half)}…${text.length}…${text.slice(-half)}`;
}
