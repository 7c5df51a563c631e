import type { LoopReport, LoopVerdict } from "turnkeeper";
import { escapeControls, oneLine } from "../../analysis/plain-text.js";
import type { EventStep, PromptStep, Step, Tally } from "../../analysis/player.js";
import {
  LABEL,
  WITHOUT_ROW,
  describe,
  grouped,
  labelOf,
  afterStop,
  plural,
  summary,
  whereabouts,
} from "../../analysis/wording.js";

import { clip, padEnd, wrap } from "../terminal/columns.js";
import type { Output } from "../terminal/output.js";

/** Deltas of one channel, shown in one row. */
interface Passage {
  type: "text" | "reasoning";
  line: number;
  deltas: number;
  characters: number;
  beginning: string;
}

/** Enough of a text for any row. */
const EXCERPT = 200;

/** A row for each call, result and stretch of text, and a block for each loop. */
export class TableView {
  #passage: Passage | undefined;
  #skipped: { events: number; calls: number } | undefined;
  #files = 0;

  constructor(private readonly output: Output) {}

  begin(file: string): void {
    if (this.#files > 0) this.output.line();
    this.output.line(this.output.bold(clip(oneLine(file), this.output.columns)));
    this.#row("line", "call", "event", "", this.output.dim("verdict"), this.output.dim);
  }

  step(_file: string, step: Step): void {
    if (step.kind === "prompt") {
      this.#flush();
      this.#prompt(step);
    } else if (step.saved) {
      this.#skip(step);
    } else {
      this.#event(step);
    }
  }

  end(file: string, tally: Tally, problem: string | undefined): void {
    this.#flush();
    this.#files += 1;
    if (tally.events === 0) return;
    for (const line of wrap(
      `${escapeControls(file)}: ${summary(tally, problem)}`,
      this.output.columns,
    )) {
      this.output.line(this.output.bold(line));
    }
  }

  #prompt({ line, promptId, model }: PromptStep): void {
    const what = oneLine(model === undefined ? promptId : `${promptId}, model ${model}`);
    this.#row(String(line), "", "prompt", what, "", this.output.dim);
  }

  #event({ line, call, event, verdict }: EventStep): void {
    const isProse = event.type === "text" || event.type === "reasoning";
    if (isProse && verdict.action === "ok") {
      this.#join(event, line);
      return;
    }
    this.#flush();
    if (WITHOUT_ROW.has(event.type) && verdict.action === "ok") return;
    this.#row(
      String(line),
      call?.toString() ?? "",
      labelOf(event),
      describe(event),
      this.#colour(verdict),
    );
    if (verdict.action !== "ok") this.#explain(verdict.action, verdict.report);
  }

  #join({ type, text }: { type: Passage["type"]; text: string }, line: number): void {
    if (this.#passage?.type !== type) this.#flush();
    this.#passage ??= { type, line, deltas: 0, characters: 0, beginning: "" };
    this.#passage.deltas += 1;
    this.#passage.characters += text.length;
    const room = EXCERPT - this.#passage.beginning.length;
    if (room > 0) this.#passage.beginning += text.slice(0, room);
  }

  #skip({ event }: EventStep): void {
    this.#flushProse();
    this.#skipped ??= { events: 0, calls: 0 };
    this.#skipped.events += 1;
    if (event.type === "tool_call") this.#skipped.calls += 1;
  }

  /** Shows what was waiting for its end to be known. */
  #flush(): void {
    this.#flushProse();
    if (!this.#skipped) return;
    const { events, calls } = this.#skipped;
    this.#skipped = undefined;
    this.#field("saved", afterStop(events, calls));
  }

  #flushProse(): void {
    if (!this.#passage) return;
    const { type, line, deltas, characters, beginning } = this.#passage;
    this.#passage = undefined;
    const parts = deltas > 1 ? `, ${plural(deltas, "part")}` : "";
    const size = `(${plural(characters, "char")}${parts})`;
    this.#row(
      String(line),
      "",
      LABEL[type],
      oneLine(beginning),
      this.output.dim("ok"),
      undefined,
      size,
    );
  }

  /** `what` takes the room that the rest leaves; `size` is never cut. */
  #row(
    line: string,
    call: string,
    event: string,
    what: string,
    verdict: string,
    style: (text: string) => string = (text) => text,
    size = "",
  ): void {
    const left = `${line.padStart(6)} ${call.padStart(5)}  ${event.padEnd(9)} `;
    const room = this.output.columns - left.length - "  verdict".length;
    const excerpt = clip(what, room - (size ? size.length + 1 : 0));
    const middle = padEnd(size ? `${excerpt} ${size}` : excerpt, room);
    this.output.line(`${style(left + middle)}  ${verdict}`.trimEnd());
  }

  #colour({ action }: LoopVerdict): string {
    const { dim, yellow, red, bold } = this.output;
    return { ok: dim, nudge: yellow, stop: (text: string) => bold(red(text)) }[action](action);
  }

  #explain(action: "nudge" | "stop", report: LoopReport): void {
    const colour = action === "stop" ? this.output.red : this.output.yellow;
    const strike = report.strike > 1 ? `, strike ${report.strike}` : "";
    this.output.line(`  ${colour(action.toUpperCase())}  ${report.type}${strike}`);
    this.#field("rule", `${report.rule} of the profile ${report.profile}`);
    this.#field("count", `${grouped(report.count)}, the threshold is ${grouped(report.threshold)}`);
    this.#field("where", whereabouts(report));
    this.#field("message", report.message);
    this.#field("evidence", report.evidence);
    this.#field("feedback", report.feedback);
  }

  #field(name: string, value: string): void {
    const indent = 14;
    const text = oneLine(value, 4_000);
    wrap(text, this.output.columns - indent).forEach((line, index) => {
      this.output.line(`${index === 0 ? `    ${name.padEnd(10)}` : " ".repeat(indent)}${line}`);
    });
  }
}
