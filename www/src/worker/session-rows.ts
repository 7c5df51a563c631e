import type { AgentEvent } from "turnkeeper";

import { textOf } from "../../../js/src/messages/events.js";
import { escapeControls } from "../../../js/src/analysis/plain-text.js";
import type { Player, Step } from "../../../js/src/analysis/player.js";
import { WITHOUT_ROW, describe, labelOf } from "../../../js/src/analysis/wording.js";

import { Numbers } from "./numbers.js";
import type { SavedFile } from "./saved-file.js";

/** A row of the list of events. */
export interface Row {
  /** The line or element of the file. */
  place: number;
  /** What it is: `call`, `result`, `error`, `text`, `thinking` and so on, or `prompt`. */
  label: string;
  /** Its call, from 0 over the session. */
  call: number | undefined;
  /** The beginning of its text, on one line. */
  excerpt: string;
  /** How many events it joins: the pieces of one text. */
  pieces: number;
  action: "ok" | "nudge" | "stop";
  /** Whether it came after a stop. */
  saved: boolean;
  /** Of a call: the longest run under way when its result was there. */
  run: Run | undefined;
}

/** How many calls a run has, and how many the rules let it have. */
export interface Run {
  count: number;
  threshold: number;
}

/** A row, and all of its text. */
export interface WholeRow extends Row {
  text: string;
  /** How much of the text is left out: UTF-16 code units. */
  more: number;
  /** Its call, or the last before it; -1 before the first. */
  lastCall: number;
  /** The run of that call, and what came of it. */
  lastRun: Run | undefined;
  lastAction: Row["action"];
}

const EXCERPT = 200;
/** Nobody reads more, and laying it out would take long. */
const LONGEST_TEXT = 50_000;

const ACTIONS = ["ok", "nudge", "stop"] as const;
type EventLike = AgentEvent | { type: "prompt_started"; promptId?: unknown; userPrompt?: unknown };

/**
 * The list of a session's events, a few numbers each: what a row says is put together when somebody looks
 * at it, so that a session of a million events needs no million rows of text.
 */
export class SessionRows {
  readonly #file: SavedFile;
  /** Where each event is: its record and its item. */
  readonly #record = new Numbers();
  readonly #item = new Numbers();
  /** Of each row: its first event, the call, the verdict, the run and its threshold. */
  readonly #first = new Numbers();
  readonly #call = new Numbers();
  readonly #verdict = new Numbers();
  readonly #run = new Numbers();
  readonly #threshold = new Numbers();
  #calls = 0;
  /** The row of the last call; -1 before the first. */
  #lastCall = -1;
  /** Of each row of a call: what was said to the call or to its result. */
  readonly #came = new Numbers();
  #joins: EventLike["type"] | undefined;
  #atRecord = 0;
  #atItem = 0;

  constructor(file: SavedFile) {
    this.#file = file;
  }

  get length(): number {
    return this.#first.length;
  }

  /** Takes the next event of the session, and what the detector said. */
  take(step: Step, counts: Player["counts"]): void {
    const type = this.#nextEvent();
    const at = this.#record.length - 1;
    const saved = step.kind === "event" && step.saved;
    // The verdict goes on after a stop, which nobody has to be told at each event.
    const action = step.kind === "event" && !saved ? step.verdict.action : "ok";
    const isCall = type === "tool_call";
    const call = isCall ? this.#calls++ : -1;
    const joins = (type === "text" || type === "reasoning") && action === "ok" ? type : undefined;
    if (joins !== undefined && joins === this.#joins) return;
    this.#joins = joins;
    if (action === "ok" && WITHOUT_ROW.has(type as AgentEvent["type"])) return;
    this.#first.push(at);
    this.#call.push(call);
    this.#verdict.push(ACTIONS.indexOf(action) + (saved ? 4 : 0));
    this.#run.push(0);
    this.#threshold.push(0);
    this.#came.push(0);
    if (isCall) this.#lastCall = this.length - 1;
    // Most rules count a call when its result is there, so its row has the count of then.
    if (isCall || type === "tool_result") this.#count(step, counts, saved);
  }

  /** Notes at the last call how far the longest run is. */
  #count(step: Step, counts: Player["counts"], saved: boolean): void {
    const at = this.#lastCall;
    if (at < 0 || saved || step.kind !== "event") return;
    const { verdict } = step;
    // What is said to a call may end the run that it was said of, whose count is in the report.
    const { run: count, threshold } =
      verdict.action === "ok"
        ? counts
        : { run: verdict.report.count, threshold: verdict.report.threshold };
    if (this.#came.at(at) > 0) return;
    this.#run.set(at, count);
    this.#threshold.set(at, threshold);
    this.#came.set(at, ACTIONS.indexOf(verdict.action));
  }

  between(from: number, to: number): Row[] {
    const rows: Row[] = [];
    const end = Math.min(to, this.length);
    for (let at = Math.max(0, from); at < end; at += 1) rows.push(this.#row(at));
    return rows;
  }

  whole(at: number): WholeRow | undefined {
    if (at < 0 || at >= this.length) return undefined;
    const first = this.#first.at(at);
    const { pieces } = this.#row(at);
    let text = "";
    let length = 0;
    for (let event = first; event < first + pieces; event += 1) {
      const next = wholeText(this.#event(event));
      length += next.length;
      if (text.length < LONGEST_TEXT) text += next.slice(0, LONGEST_TEXT);
    }
    if (length === 0) {
      text = this.#saidWith(first)?.text ?? "";
      length = text.length;
    }
    const shown = text.slice(0, LONGEST_TEXT);
    return {
      ...this.#row(at),
      text: shown.split(/\r?\n/).map(escapeControls).join("\n"),
      more: length - shown.length,
      ...this.#lastCallOf(at),
    };
  }

  /** The row of a call. */
  rowOfCall(call: number): number {
    for (let at = 0; at < this.length; at += 1) if (this.#call.at(at) === call) return at;
    return 0;
  }

  #lastCallOf(row: number): Pick<WholeRow, "lastCall" | "lastRun" | "lastAction"> {
    let at = row;
    while (at >= 0 && this.#call.at(at) < 0) at -= 1;
    if (at < 0) return { lastCall: -1, lastRun: undefined, lastAction: "ok" };
    const lastAction = ACTIONS[this.#came.at(at)]!;
    return { lastCall: this.#call.at(at), lastRun: this.#runOf(at), lastAction };
  }

  #runOf(row: number): Run | undefined {
    const [count, threshold] = [this.#run.at(row), this.#threshold.at(row)];
    return threshold > 0 && count > 0 ? { count, threshold } : undefined;
  }

  #row(at: number): Row {
    const first = this.#first.at(at);
    const event = this.#event(first);
    const joins = event.type === "text" || event.type === "reasoning";
    const next = at + 1 < this.length ? this.#first.at(at + 1) : this.#record.length;
    let pieces = 1;
    if (joins)
      while (first + pieces < next && this.#event(first + pieces).type === event.type) pieces += 1;
    const call = this.#call.at(at);
    const verdict = this.#verdict.at(at);
    return {
      place: this.#file.records[this.#record.at(first)]!.place,
      label: event.type === "prompt_started" ? "prompt" : labelOf(event),
      call: call < 0 ? undefined : call,
      excerpt: this.#excerpt(first, pieces, event),
      pieces,
      action: ACTIONS[verdict & 3]!,
      saved: verdict >= 4,
      run: this.#runOf(at),
    };
  }

  #excerpt(first: number, pieces: number, event: EventLike): string {
    if (event.type === "prompt_started") return describe({ type: "text", text: wholeText(event) });
    if (event.type !== "text" && event.type !== "reasoning") {
      return shorten(describe(event) || this.#said(first));
    }
    let text = "";
    for (let at = first; at < first + pieces && text.length < 2 * EXCERPT; at += 1) {
      text += wholeText(this.#event(at)).slice(0, 2 * EXCERPT);
    }
    return shorten(describe({ type: "text", text }));
  }

  #said(event: number): string {
    const said = this.#saidWith(event);
    return said ? describe({ type: "text", text: said.text.slice(0, 1_000) }) : "";
  }

  /** What the user or the host said, for an event without a text of its own. */
  #saidWith(event: number): { text: string } | undefined {
    return this.#file.records[this.#record.at(event)]!.items[this.#item.at(event)]!.said;
  }

  #event(at: number): EventLike {
    return this.#file.records[this.#record.at(at)]!.items[this.#item.at(at)]!.event;
  }

  /** Goes on to the next event of the file. */
  #nextEvent(): EventLike["type"] {
    const { records } = this.#file;
    while (this.#atItem >= records[this.#atRecord]!.items.length) {
      this.#atRecord += 1;
      this.#atItem = 0;
    }
    this.#record.push(this.#atRecord);
    this.#item.push(this.#atItem);
    return records[this.#atRecord]!.items[this.#atItem++]!.event.type;
  }
}

function shorten(text: string): string {
  return text.length <= EXCERPT
    ? text
    : `${text.slice(0, EXCERPT).replace(/[\ud800-\udbff]$/, "")}…`;
}

function wholeText(event: EventLike): string {
  switch (event.type) {
    case "text":
    case "reasoning":
      return event.text;
    case "tool_result":
      return textOf(event.output);
    case "tool_call": {
      const { name, args } = event;
      const shown = typeof args === "string" ? args : (JSON.stringify(args, undefined, 2) ?? "");
      return `${name} ${shown}`;
    }
    case "prompt_started":
      return [event.promptId, event.userPrompt]
        .filter((each) => typeof each === "string")
        .join(" ");
    default:
      return "";
  }
}
