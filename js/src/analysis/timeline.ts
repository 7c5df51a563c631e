import type { AgentEvent } from "turnkeeper";

import { knownTool, type KnownTool } from "../messages/tools.js";
import type { Loop } from "./loops.js";

/** What a call does, as far as its name tells. */
export const CALL_KINDS = ["read", "search", "edit", "run", "browse", "ask", "other"] as const;
export type CallKind = (typeof CALL_KINDS)[number];

const BY_TABLE: Readonly<Record<KnownTool, CallKind>> = {
  ask: "ask",
  command: "run",
  edit: "edit",
  "text-editor": "edit",
  patch: "edit",
  read: "read",
  write: "edit",
};

/** For tools that are not in the table: what the words of their names are about. */
const BY_NAME: [RegExp, CallKind][] = [
  [/ask|followup|respond|completion|finish|submit|question|message/i, "ask"],
  [/brows|web|fetch|url|navigate|click|screenshot/i, "browse"],
  [/search|grep|glob|find|list|^ls$|query|definition/i, "search"],
  [/write|edit|replace|patch|diff|insert|create|delete|notebook|save/i, "edit"],
  [/bash|shell|command|exec|terminal|^run|ipython|^npm$|^python|test/i, "run"],
  [/read|open|view|cat|file/i, "read"],
];

/** How many calls a timeline can show; a longer session is cut into this many stretches. */
export const WIDEST = 400;

/** Neighbouring calls of a timeline. */
export interface Stretch {
  first: number;
  last: number;
  /** What most of them do. */
  kind: CallKind;
  /** Whether a loop is there. */
  loop?: "nudge" | "stop";
}

/** The calls of a session in their order, a byte each. */
export class CallTimeline {
  #kinds = new Uint8Array(256);
  #length = 0;
  #loops: readonly Loop[] = [];
  readonly #known = new Map<string, number>();

  take(event: AgentEvent): void {
    if (event.type !== "tool_call") return;
    if (this.#length === this.#kinds.length) {
      const longer = new Uint8Array(this.#length * 2);
      longer.set(this.#kinds);
      this.#kinds = longer;
    }
    this.#kinds[this.#length++] = this.#kindOf(event.name);
  }

  mark(loops: readonly Loop[]): void {
    this.#loops = loops;
  }

  /** The calls, or stretches of them by their most frequent kind, and whether a loop is there. */
  stretches(): Stretch[] {
    const size = Math.max(1, Math.ceil(this.#length / WIDEST));
    const all: Stretch[] = [];
    for (let first = 0; first < this.#length; first += size) {
      const last = Math.min(first + size, this.#length) - 1;
      const counts = CALL_KINDS.map(() => 0);
      for (let at = first; at <= last; at++) counts[this.#kinds[at]!]! += 1;
      const kind = CALL_KINDS[counts.indexOf(Math.max(...counts))]!;
      const here = this.#loops.filter(
        ({ firstCall, lastCall }) => (firstCall ?? 0) <= last && (lastCall ?? 0) >= first,
      );
      const loop = here.some(({ action }) => action === "stop") ? "stop" : here[0]?.action;
      all.push({ first, last, kind, ...(loop && { loop }) });
    }
    return all;
  }

  #kindOf(name: string): number {
    let kind = this.#known.get(name);
    if (kind === undefined) {
      kind = CALL_KINDS.indexOf(kindOfCall(name));
      if (this.#known.size < 1_000) this.#known.set(name, kind);
    }
    return kind;
  }
}

/** What a tool does, as far as its name tells. */
export function kindOfCall(tool: string): CallKind {
  const name = tool.slice(0, 200);
  const known = knownTool(name);
  if (known !== undefined) return BY_TABLE[known];
  return BY_NAME.find(([pattern]) => pattern.test(name))?.[1] ?? "other";
}
