import { firsts, type Finding } from "../../analysis/comparison.js";
import { escapeControlsInJson } from "../../analysis/plain-text.js";
import type { Output } from "../terminal/output.js";

import type { Compared, CompareView } from "./view.js";

/** One JSON object a session, and one at the end; `docs/command-line.md` documents them. */
export class CompareJson implements CompareView {
  readonly #output: Output;

  constructor(output: Output) {
    this.#output = output;
  }

  session({ name, file, result }: Compared): void {
    const profiles = result.profiles.map((findings): [string, object] => {
      const { nudge, stop } = firsts(findings);
      return [
        findings.profile,
        {
          ...(nudge && { nudge: placeOf(nudge) }),
          ...(stop && { stop: placeOf(stop) }),
          nudges: findings.findings.filter(({ action }) => action === "nudge").length,
          stops: findings.findings.filter(({ action }) => action === "stop").length,
          saved: findings.saved,
          blind: findings.blind,
        },
      ];
    });
    const { events, calls } = result;
    this.#write({ session: name, file, events, calls, profiles: Object.fromEntries(profiles) });
  }

  close(comparison: { sessions: number; problems: number }, exitCode: number): void {
    this.#write({ comparison, exitCode });
  }

  #write(value: object): void {
    this.#output.line(escapeControlsInJson(JSON.stringify(value)));
  }
}

function placeOf({ report: { type, rule }, ...finding }: Finding): object {
  return { ...finding, type, rule };
}
