import type { AnyProfile } from "../../analysis/profiles.js";
import { Command, InvalidArgumentError, Option } from "commander";

import { AGENT_NAMES, type AgentName } from "../../analysis/agents.js";
import type { SessionReport } from "../../analysis/audit-report.js";
import type { PriceTable } from "../../analysis/token-prices.js";
import { complain } from "../complain.js";
import { EXIT, endWith } from "../exit-code.js";
import { modelOption, profileOption, wholeNumber } from "../options.js";
import { pricesOption } from "../prices.js";
import { Output, goOnUnread } from "../terminal/output.js";

import { judgeFiles } from "./files.js";
import { showJson, shown } from "./json.js";
import { canHavePage, writePage } from "./page.js";
import { momentOf, periodOf, type Moment } from "./period.js";
import { AuditRecord } from "./record.js";
import { showScreen } from "./screen.js";
import { Trend } from "./trend.js";

/** The values of the options. */
interface AuditOptions {
  agent?: AgentName[];
  since?: Moment;
  until?: Moment;
  top: number;
  all?: true;
  profile: AnyProfile;
  model?: string;
  prices: PriceTable;
  jobs?: number;
  html?: string;
  json?: true;
  jsonl?: true;
  /** False with --no-text. */
  text: boolean;
  /** False with --no-history. */
  history: boolean;
  failOnLoop?: true;
  quiet?: true;
  verbose?: true;
}

const DETAILS = `
Without a path it looks where agents keep their sessions, and shows the last
seven days. It shows what they cost, what of it could have been saved, on what
it went with a command to paste, and the sessions that wasted most. "~" marks
what is estimated, where a file does not record it.

  turnkeeper                                  the last seven days
  turnkeeper audit --since 30d --agent codex  one agent, a month
  turnkeeper audit ~/tasks --html report.html a folder, with pictures

--json, --jsonl and --html hold titles of sessions and up to 300 characters of
calls and results in loops; --no-text leaves them out. Nothing leaves this
computer. docs/audit.md explains the figures.

Exit code: 0; 1 with --fail-on-loop if a loop was stopped; 2 if any input was
bad.`;

/** `turnkeeper audit` */
export function auditCommand(): Command {
  return new Command("audit")
    .summary("show what your agents cost, and what of it was wasted")
    .description("Show what your agents cost, and what of it was wasted.")
    .argument("[path...]", "sessions, and folders of sessions (default: where agents keep them)")
    .addOption(
      new Option("--agent <names>", `only these: ${AGENT_NAMES.join(", ")}`).argParser(agentsOf),
    )
    .addOption(
      new Option(
        "--since <when>",
        "from when on: 24h, 7d, 2w, 2026-11-01, all (default: 7d without a path)",
      ).argParser(momentOf),
    )
    .addOption(new Option("--until <when>", "up to when; a day is whole").argParser(momentOf))
    .addOption(
      new Option("--top <n>", "how many sessions are listed")
        .argParser(wholeNumber(0, 1_000_000))
        .default(10),
    )
    .option("--all", "list all sessions")
    .option("--html <file>", "write the report with pictures: one page that needs nothing else")
    .addOption(new Option("--json", "one JSON object instead of the table").conflicts("jsonl"))
    .option("--jsonl", "one JSON line for each session, as soon as it is judged")
    .option("--no-text", "leave out what users, models and tools wrote")
    .option("--no-history", "keep no line a day for the comparison with the week before")
    .option("--fail-on-loop", "exit with 1 if a session was stopped; a nudge does not count")
    .addOption(pricesOption())
    .addOption(profileOption())
    .addOption(modelOption())
    .addOption(
      new Option(
        "--jobs <n>",
        "how many files to judge at once (default: one for each core)",
      ).argParser(wholeNumber(1, 256)),
    )
    .option("-v, --verbose", "name the files that are no sessions")
    .option("-q, --quiet", "only the headline")
    .addHelpText("after", DETAILS)
    .action(audit);
}

async function audit(names: string[], options: AuditOptions): Promise<void> {
  const { profile, model, prices, jobs, html, agent, json, jsonl, text } = options;
  const output = new Output();
  if (html !== undefined && !canHavePage(html)) return;
  // A page is written, or the exit code tells of loops, whoever reads the table.
  if (html !== undefined || options.failOnLoop) goOnUnread();
  const isFound = names.length === 0;
  const period = periodOf(options.since, options.until, isFound);
  if (period.since > period.until) return complain("--since is later than --until");
  // Only what all agents did can be compared with the week before.
  const isWhole = isFound && agent === undefined && options.since === undefined;
  const trend = isWhole && options.until === undefined && options.history ? new Trend() : undefined;
  const keepsTimelines = html !== undefined;
  const onSession = jsonl && ((report: SessionReport) => output.json(shown(report, text)));
  const record = new AuditRecord({ profile, period, trend, keepsTimelines, onSession });
  const how = { jobs, asJudged: jsonl !== undefined, agents: agent };
  const rules = { profile, model, prices, timelines: keepsTimelines };
  await judgeFiles(names, rules, how, record, output);
  if (json) {
    showJson(output, record, text);
  } else if (!jsonl) {
    const { all, top, quiet = false, verbose = false } = options;
    showScreen(output, record, { top: all ? Infinity : top, quiet, verbose });
  }
  if (options.failOnLoop && record.total.stops > 0) endWith(EXIT.loop);
  trend?.save();
  if (html !== undefined) writePage(html, record, text);
  await output.ready();
}

/** Names with commas between them; the option may be given several times. */
function agentsOf(text: string, before: AgentName[] | undefined): AgentName[] {
  const names = text.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !(AGENT_NAMES as string[]).includes(name));
  if (unknown !== undefined) {
    throw new InvalidArgumentError(`"${unknown}" is none of ${AGENT_NAMES.join(", ")}.`);
  }
  return [...new Set([...(before ?? []), ...(names as AgentName[])])];
}
