/**
 * Notes for the ledger of a session. Hooks write them as lines, without loading any machine; after a
 * compaction the ledger reads them and makes a text of them.
 */

import type { WorkLedger } from "turnkeeper";

import type { HookEvent } from "./hook-event.js";
import type { Machines } from "./judge.js";
import { type LedgerNote, notesOf, tell } from "./ledger-note.js";
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
