import type { AgentEvent, LoopReport, LoopVerdict } from "../index.js";

import { clip, escapeControls, oneLine, padEnd, wrap } from "./plain-text.js";
import type { EventStep, PromptStep, Step, Tally } from "./player.js";
import type { ReplayView } from "./replay-view.js";
import type { Output } from "./terminal.js";

const LABEL: Record<AgentEvent["type"], string> = {
  text: "text",
  reasoning: "thinking",
  tool_call: "call",
  tool_result: "result",
  turn_started: "turn",
  user_message: "user",
  finished: "finished",
  condensation: "condensed",
  other: "other",
};

/** Events that say nothing by themselves get a row only if something was found at them. */
const WITHOUT_ROW = new Set<AgentEvent["type"]>(["turn_started", "finished", "other"]);

/** Deltas of one channel, shown in one row. */
interface Prose {
  type: "text" | "reasoning";
  line: number;
  deltas: number;
  characters: number;
  beginning: string;
}

/** Enough of a text for any row. */
const EXCERPT = 200;

/** A row for each call, result and stretch of prose, and a block for each loop. */
export class TableView implements ReplayView {
  readonly #output: Output;
  #prose: Prose | undefined;
  #skipped: { events: number; calls: number } | undefined;
  #files = 0;

  constructor(output: Output) {
    this.#output = output;
  }

  begin(file: string): void {
    if (this.#files > 0) this.#output.line();
    this.#output.line(this.#output.bold(clip(oneLine(file), this.#output.columns)));
    this.#row("line", "call", "event", "", this.#output.dim("verdict"), this.#output.dim);
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
    for (const line of wrap(summary(file, tally, problem), this.#output.columns)) {
      this.#output.line(this.#output.bold(line));
    }
  }

  close(): void {}

  #prompt({ line, promptId, model }: PromptStep): void {
    const what = oneLine(model === undefined ? promptId : `${promptId}, model ${model}`);
    this.#row(String(line), "", "prompt", what, "", this.#output.dim);
  }

  #event({ line, call, event, verdict }: EventStep): void {
    const isProse = event.type === "text" || event.type === "reasoning";
    if (isProse && verdict.action === "ok") {
      this.#join(event, line);
      return;
    }
    this.#flush();
    if (WITHOUT_ROW.has(event.type) && verdict.action === "ok") return;
    const label = event.type === "tool_result" && event.isError ? "error" : LABEL[event.type];
    this.#row(String(line), call?.toString() ?? "", label, describe(event), this.#colour(verdict));
    if (verdict.action !== "ok") this.#explain(verdict.action, verdict.report);
  }

  #join({ type, text }: { type: Prose["type"]; text: string }, line: number): void {
    if (this.#prose?.type !== type) this.#flush();
    this.#prose ??= { type, line, deltas: 0, characters: 0, beginning: "" };
    this.#prose.deltas += 1;
    this.#prose.characters += text.length;
    const room = EXCERPT - this.#prose.beginning.length;
    if (room > 0) this.#prose.beginning += text.slice(0, room);
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
    const what = `${plural(events, "more event")} of this prompt, ${plural(calls, "call")} among them`;
    this.#field("saved", `${what}, would not have happened`);
  }

  #flushProse(): void {
    if (!this.#prose) return;
    const { type, line, deltas, characters, beginning } = this.#prose;
    this.#prose = undefined;
    const parts = deltas > 1 ? `, ${plural(deltas, "part")}` : "";
    const size = `(${plural(characters, "char")}${parts})`;
    this.#row(
      String(line),
      "",
      LABEL[type],
      oneLine(beginning),
      this.#output.dim("ok"),
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
    const room = this.#output.columns - left.length - "  verdict".length;
    const excerpt = clip(what, room - (size ? size.length + 1 : 0));
    const middle = padEnd(size ? `${excerpt} ${size}` : excerpt, room);
    this.#output.line(`${style(left + middle)}  ${verdict}`.trimEnd());
  }

  #colour({ action }: LoopVerdict): string {
    const { dim, yellow, red, bold } = this.#output;
    return { ok: dim, nudge: yellow, stop: (text: string) => bold(red(text)) }[action](action);
  }

  #explain(action: "nudge" | "stop", report: LoopReport): void {
    const colour = action === "stop" ? this.#output.red : this.#output.yellow;
    const strike = report.strike > 1 ? `, strike ${report.strike}` : "";
    this.#output.line(`  ${colour(action.toUpperCase())}  ${report.type}${strike}`);
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
    wrap(text, this.#output.columns - indent).forEach((line, index) => {
      this.#output.line(`${index === 0 ? `    ${name.padEnd(10)}` : " ".repeat(indent)}${line}`);
    });
  }
}

function describe(event: AgentEvent): string {
  switch (event.type) {
    case "tool_call":
      return oneLine(`${event.name} ${argumentsText(event.args)}`);
    case "tool_result": {
      const exit = event.exitCode === undefined ? "" : `exit ${event.exitCode}: `;
      return exit + (event.output === "" ? "(empty)" : oneLine(event.output));
    }
    case "text":
    case "reasoning":
      return oneLine(event.text);
    default:
      return "";
  }
}

function argumentsText(args: unknown): string {
  return typeof args === "string" ? args : (JSON.stringify(args) ?? "");
}

function whereabouts({ channel, firstIndex, lastIndex }: LoopReport): string {
  if (channel === undefined) return `tool calls ${firstIndex} to ${lastIndex} of this prompt`;
  const text = channel === "text" ? "assistant's prose" : "model's thinking";
  return `characters ${firstIndex} to ${lastIndex} of the ${text} in this prompt`;
}

function summary(file: string, tally: Tally, problem: string | undefined): string {
  const { events, calls, prompts, nudges, stops, saved, blind } = tally;
  const size = [plural(events, "event"), plural(calls, "call"), plural(prompts, "prompt")];
  const found =
    stops.length + nudges === 0
      ? "no loop"
      : [stops.length > 0 && plural(stops.length, "stop"), nudges > 0 && plural(nudges, "nudge")]
          .filter(Boolean)
          .join(" and ");
  const rest =
    saved.events > 0
      ? `; stopping saves ${plural(saved.events, "event")}, ${plural(saved.calls, "call")}, ` +
        `${plural(saved.characters, "character")} of text`
      : "";
  const lacks = blind.length > 0 ? `; the session has no ${blind.join(" and no ")}` : "";
  const incomplete = problem === undefined ? "" : "; the rest could not be read";
  return `${escapeControls(file)}: ${size.join(", ")}: ${found}${rest}${lacks}${incomplete}`;
}

function plural(count: number, thing: string): string {
  return `${grouped(count)} ${thing}${count === 1 ? "" : "s"}`;
}

function grouped(count: number): string {
  return count.toLocaleString("en-US");
}
