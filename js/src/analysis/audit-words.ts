/** The words for what an audit found: the same on the screen, in the report and on the English page. */

import { FORMATS, FORMAT_TITLES } from "../saved/saved-session.js";

import { AGENT_TITLES } from "./agents.js";
import type { SessionReport, Total } from "./audit-report.js";
import type { Finding } from "./findings.js";
import type { Loop } from "./loops.js";
import type { Usage } from "./usage-count.js";
import { grouped, plural } from "./wording.js";

/** An amount as people read it; `~` before one that is estimated. */
export function inDollars(amount: number, isEstimated = false): string {
  const shown = amount > 0 && amount < 0.01 ? "under $0.01" : `$${amount.toFixed(2)}`;
  return isEstimated ? `~${shown}` : shown;
}

/** What a usage cost, or else how much it was. */
export function costInWords(usage: Usage): string {
  const { dollars, tokens, isEstimated } = usage;
  if (dollars !== undefined) return inDollars(dollars, isEstimated);
  return `${isEstimated ? "~" : ""}${inThousands(tokens)} tokens`;
}

/** A count in a few characters: 1,234, 12.3k, 4.5M. */
export function inThousands(count: number): string {
  if (count < 10_000) return grouped(count);
  if (count < 1_000_000) return `${(count / 1_000).toFixed(count < 100_000 ? 1 : 0)}k`;
  if (count < 1e9) return `${(count / 1e6).toFixed(count < 1e8 ? 1 : 0)}M`;
  return `${(count / 1e9).toFixed(1)}G`;
}

/** All that was spent, and how much of it could have been saved. */
export function headline(total: Total, period: string): string {
  const { usage, saveable, sessions } = total;
  const head = `${period}: ${plural(sessions, "session")}, ${costInWords(usage)}`;
  if (saveable.dollars !== undefined && saveable.dollars > 0 && usage.dollars !== undefined) {
    const about = saveable.dollars < 0.01 ? "" : "about ";
    return `${head}; ${about}${inDollars(saveable.dollars)} of it could have been saved`;
  }
  return saveable.tokens > 0
    ? `${head}; ${plural(saveable.tokens, "token")} in the histories are outdated`
    : head;
}

/** What a finding is, in a few words. */
export function findingTitle({ waste, count, tokens }: Finding): string {
  switch (waste) {
    case "loops":
      return `loops: ${plural(count, "loop")}, ${inThousands(tokens)} tokens after the first nudges`;
    case "outdated":
      return `outdated context: ${plural(count, "block or file", "blocks and files")} that newer messages say better, ${plural(tokens, "token")} in the histories`;
    case "rereads":
      return `read again after compactions: ${plural(count, "call")} with the same result, ${plural(tokens, "token")}`;
    case "pauses":
      return `pauses longer than the cache lasts: ${plural(count, "request")} paid for the whole context again`;
  }
}

/** Where most of it came from. */
export function findingPlace({ agent, project }: Finding): string {
  const where = project === undefined ? "" : ` in ${projectName(project)}`;
  return `most by ${agentTitle(agent)}${where}`;
}

/** Agents for which `turnkeeper install` has hooks or a plugin. */
const INSTALLABLE = new Set([
  "claude-code",
  "codex",
  "gemini-cli",
  "qwen-code",
  "opencode",
  "cline",
  "pi",
  "copilot-cli",
]);

/** What to do, as a command that can be pasted where there is one. */
export function findingAdvice({ waste, agent, worst }: Finding): {
  does: string;
  command?: string;
} {
  const file = quoted(worst.file);
  switch (waste) {
    case "loops":
    case "rereads":
      return INSTALLABLE.has(agent)
        ? {
            does: waste === "loops" ? "stop them" : "remind it of its work",
            command: `turnkeeper install ${agent}`,
          }
        : { does: "look at it", command: `turnkeeper replay ${file}` };
    case "outdated":
      return FORMATS[worst.format].isHistory && worst.id === undefined
        ? {
            does: "shorten the worst",
            command: `turnkeeper repair --economy resume --in-place ${file}`,
          }
        : { does: "begin a new session where a task ends" };
    case "pauses":
      return { does: "compact before a break, or begin a new session after it" };
  }
}

/** A file's name as shells take it. */
function quoted(file: string): string {
  return /^[\w./:@%+,~-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`;
}

/** What a session is called. */
export function sessionTitle({ title, file }: Pick<SessionReport, "title" | "file">): string {
  return title ?? (file === "-" ? "standard input" : file);
}

export function agentTitle(agent: string): string {
  const titles: Readonly<Record<string, string>> = { ...FORMAT_TITLES, ...AGENT_TITLES };
  return titles[agent] ?? agent;
}

/** The last name of a folder. */
export function projectName(project: string): string {
  return project.split(/[\\/]/).filter(Boolean).at(-1) ?? project;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** A day as people write it, with the year if it is another one. */
export function dayOf(time: string | undefined, now = new Date()): string {
  if (time === undefined) return "-";
  const date = new Date(time);
  const day = `${MONTHS[date.getMonth()]} ${date.getDate()}`;
  return date.getFullYear() === now.getFullYear() ? day : `${day}, ${date.getFullYear()}`;
}

/** Where a loop is. */
export function whereOf({ firstCall, lastCall, channel, place }: Loop): string {
  if (channel !== undefined) {
    const after = firstCall === null ? "before any call" : `after call ${grouped(firstCall)}`;
    return `${channel} ${after} (${grouped(place)} of the file)`;
  }
  return `calls ${grouped(firstCall ?? 0)} to ${grouped(lastCall ?? 0)}`;
}

/** A share as people read it. */
export function percent(part: number, whole: number): string {
  return whole === 0 ? "0%" : `${Math.round((100 * part) / whole)}%`;
}
