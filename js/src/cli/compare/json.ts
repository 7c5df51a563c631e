import { escapeControlsInJson } from "../../analysis/plain-text.js";
import { firsts, median, type Score, type Total } from "../../analysis/score.js";

import type { Compared, CompareView, Overall } from "./view.js";
import type { Output } from "../terminal/output.js";

/** One JSON object a session, and one at the end; `docs/command-line.md` documents them. */
export class CompareJson implements CompareView {
  readonly #output: Output;

  constructor(output: Output) {
    this.#output = output;
  }

  session({ name, file, label, result, scores }: Compared): void {
    const profiles = result.profiles.map((findings, index): [string, object] => [
      findings.profile,
      {
        ...firsts(findings),
        nudges: findings.findings.filter(({ action }) => action === "nudge").length,
        stops: findings.findings.filter(({ action }) => action === "stop").length,
        saved: findings.saved,
        blind: findings.blind,
        ...(scores && { score: scores[index]! satisfies Score }),
      },
    ]);
    const { events, calls } = result;
    this.#write({
      session: name,
      file,
      ...(label && { label }),
      events,
      calls,
      profiles: Object.fromEntries(profiles),
    });
  }

  close(overall: Overall, exitCode: number): void {
    const { sessions, labelled, tolerance, totals, problems } = overall;
    const profiles = totals.map((total): [string, object] => [total.profile, summed(total)]);
    this.#write({
      comparison: {
        sessions,
        labelled,
        problems,
        tolerance,
        profiles: Object.fromEntries(profiles),
      },
      exitCode,
    });
  }

  #write(value: object): void {
    this.#output.line(escapeControlsInJson(JSON.stringify(value)));
  }
}

function summed({ profile: _, wasted, wastedUntilStop, ...total }: Total): object {
  return { ...total, wasted: spread(wasted), wastedUntilStop: spread(wastedUntilStop) };
}

function spread(sorted: readonly number[]): object {
  const sum = sorted.reduce((all, value) => all + value, 0);
  return { count: sorted.length, median: median(sorted) ?? null, max: sorted.at(-1) ?? null, sum };
}
