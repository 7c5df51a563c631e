import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";

import { makePrivate, stateFolder } from "../../agents/state/folder.js";
import type { SessionReport } from "../../analysis/audit-report.js";
import { inMillionths } from "../../analysis/token-prices.js";
import { tokensOf, type Answer } from "../../analysis/usage-count.js";
import { fields } from "../../messages/fields.js";
import { AtomicFile } from "../files/atomic-file.js";

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
  readonly #file: string;
  readonly #days = new Map<string, Day>();
  readonly #now = new Map<string, Day>();

  constructor(file = path.join(stateFolder(), "audit.jsonl")) {
    this.#file = file;
    for (const day of daysIn(file)) this.#days.set(keyOf(day), day);
  }

  add({ project = "" }: SessionReport, answers: readonly Answer[]): void {
    const hash = createHash("sha256").update(project).digest("hex").slice(0, 12);
    for (const answer of answers) {
      if (answer.time === undefined) continue;
      const day = dayOf(answer.time);
      const key = keyOf({ day, project: hash });
      const known = this.#now.get(key) ?? {
        day,
        project: hash,
        requests: 0,
        tokens: 0,
        dollars: 0,
      };
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
  weekBefore(now = Date.now()): number | undefined {
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
    try {
      makePrivate(path.dirname(this.#file));
      const written = new AtomicFile(this.#file);
      try {
        for (const day of days) written.write(new TextEncoder().encode(`${JSON.stringify(day)}\n`));
        written.commit();
      } finally {
        written.abandon();
      }
    } catch {
      // A home that may not be written to has no trend.
    }
  }
}

function daysIn(file: string): Day[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return [];
  }
  return text.split("\n").flatMap((line) => {
    try {
      const { day, project, requests, tokens, dollars } = fields(JSON.parse(line));
      const isDay = typeof day === "string" && typeof project === "string";
      const counts = {
        requests: Number(requests),
        tokens: Number(tokens),
        dollars: Number(dollars),
      };
      return isDay && Object.values(counts).every(Number.isFinite)
        ? [{ day, project, ...counts }]
        : [];
    } catch {
      return [];
    }
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
