import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";

import { makePrivate, stateFolder } from "../../agents/state/folder.js";
import type { SessionReport } from "../../analysis/audit-report.js";
import { inMillionths } from "../../analysis/token-prices.js";
import { tokensOf, type Answer } from "../../analysis/usage-count.js";
import { fields, parsed } from "../../messages/fields.js";
import { writeWhole } from "../files/atomic-file.js";
import { attempt } from "../files/file-questions.js";

/** What a project used on a day: counts alone. */
interface Day {
  /** As `2026-11-23`, by the user's clock. */
  day: string;
  /** A hash of the project's folder. */
  project: string;
  requests: number;
  tokens: number;
  dollars: number;
}

/** Days that are kept. */
const MOST_DAYS = 400;
const DAY = 86_400_000;

/** What was spent day by day, kept from one audit to the next: a line a day and project. */
export class Trend {
  readonly #file = path.join(stateFolder(), "audit.jsonl");
  readonly #days = new Map<string, Day>();
  readonly #now = new Map<string, Day>();

  constructor() {
    for (const day of daysIn(this.#file)) this.#days.set(keyOf(day), day);
  }

  add({ project = "" }: SessionReport, answers: readonly Answer[]): void {
    const hash = createHash("sha256").update(project).digest("hex").slice(0, 12);
    for (const answer of answers) {
      if (answer.time === undefined) continue;
      const day = dayOf(answer.time);
      const key = keyOf({ day, project: hash });
      const none = { day, project: hash, requests: 0, tokens: 0, dollars: 0 };
      const known = this.#now.get(key) ?? none;
      known.requests += 1;
      known.tokens += tokensOf(answer);
      known.dollars = inMillionths(known.dollars + (answer.dollars ?? 0));
      this.#now.set(key, known);
    }
  }

  /**
   * Dollars of the seven days before the last seven; undefined if nothing is known of them. What an earlier
   * audit has kept counts where this one does not reach.
   */
  weekBefore(): number | undefined {
    const now = Date.now();
    const [from, to] = [dayOf(now - 13 * DAY), dayOf(now - 7 * DAY)];
    const days = [...new Map([...this.#days, ...this.#now]).values()];
    const before = days.filter(({ day }) => day >= from && day <= to);
    return before.length === 0 ? undefined : before.reduce((sum, { dollars }) => sum + dollars, 0);
  }

  /** Keeps what was added. A day on which less was found than before, since files went, stays as it was. */
  save(): void {
    for (const [key, day] of this.#now) {
      const known = this.#days.get(key);
      if (known === undefined || day.tokens >= known.tokens) this.#days.set(key, day);
    }
    if (this.#now.size === 0) return;
    const oldest = dayOf(Date.now() - MOST_DAYS * DAY);
    const days = [...this.#days.values()].filter(({ day }) => day >= oldest);
    days.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    // A home that may not be written to has no trend.
    attempt(() => {
      makePrivate(path.dirname(this.#file));
      writeWhole(
        this.#file,
        days.map((day) => `${JSON.stringify(day)}\n`),
      );
    });
  }
}

function daysIn(file: string): Day[] {
  const text = attempt(() => readFileSync(file, "utf8")) ?? "";
  return text.split("\n").flatMap((line) => {
    const { day, project, ...others } = fields(parsed(line));
    const counts = {
      requests: Number(others.requests),
      tokens: Number(others.tokens),
      dollars: Number(others.dollars),
    };
    const isDay = typeof day === "string" && typeof project === "string";
    return isDay && Object.values(counts).every(Number.isFinite)
      ? [{ day, project, ...counts }]
      : [];
  });
}

function keyOf({ day, project }: Pick<Day, "day" | "project">): string {
  return `${day} ${project}`;
}

/** By the user's clock. */
function dayOf(time: number): string {
  const date = new Date(time);
  const part = (value: number): string => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${part(date.getMonth() + 1)}-${part(date.getDate())}`;
}
