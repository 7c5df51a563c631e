import { Command, Option } from "commander";

import type { LoopProfile } from "turnkeeper";
import { complain } from "../complain.js";
import type { PriceTable } from "../../analysis/token-prices.js";
import { pricesOption } from "../prices.js";
import { modelOption, profileOption, quietOption, wholeNumber } from "../options.js";
import { Output, goOnUnread } from "../terminal/output.js";

import { judgeFiles } from "./files.js";
import { AuditJson, AuditJsonLines } from "./json.js";
import { mergeLines } from "./merge.js";
import { pageProblem, writePage } from "./page.js";
import { AuditRecord, type AuditView } from "./record.js";
import { AuditTable } from "./table.js";

/** The values of the options. */
interface AuditOptions {
  profile: LoopProfile;
  model?: string;
  prices: PriceTable;
  jobs?: number;
  html?: string;
  json?: true;
  jsonl?: true;
  merge?: true;
  failOnLoop?: true;
  quiet?: true;
}

const COLUMNS = `
The table has a row for each session, and its loops below the row:
  calls      tool calls
  loops      places where the detector nudged or stopped the agent
  late       calls in loops after their first nudge
  duplicate  blocks of environment that their message has twice
  outdated   blocks of environment that a newer message replaces
  tokens     of the whole session, estimated
  cost       how many of these are duplicate and outdated blocks
  reuse      commands that could run in an open terminal, of all commands

Sessions are recognised by their contents, whatever the file is called. In a
folder, files that are no sessions are skipped. "-" is standard input.
docs/command-line.md in the repository lists the formats and the JSON's fields.

Exit code: 0; 1 with --fail-on-loop if a loop was stopped; 2 if any input was
bad.`;

/** `turnkeeper audit` */
export function auditCommand(done: (exitCode: number) => void): Command {
  return new Command("audit")
    .summary("show what saved sessions cost, and where they looped")
    .description("Show what saved sessions cost, and where they looped.")
    .argument("<path...>", "sessions, and folders of sessions")
    .addOption(profileOption())
    .addOption(modelOption())
    .addOption(pricesOption())
    .addOption(
      new Option(
        "--jobs <n>",
        "how many files to judge at once (default: one for each core)",
      ).argParser(wholeNumber(1, 256)),
    )
    .option("--html <file>", "write a report with pictures: one page that needs nothing else")
    .addOption(new Option("--json", "one JSON object instead of the table").conflicts("jsonl"))
    .option("--jsonl", "one JSON line for each session, as soon as it is judged")
    .addOption(
      new Option(
        "--merge",
        "add up files that --jsonl has written, here or on other machines",
      ).conflicts(["profile", "model", "jobs", "jsonl"]),
    )
    .option("--fail-on-loop", "exit with 1 if a session was stopped; a nudge does not count")
    .addOption(quietOption("only the total"))
    .addHelpText("after", COLUMNS)
    .action(async (names: string[], options: AuditOptions) => done(await audit(names, options)));
}

async function audit(names: string[], options: AuditOptions): Promise<number> {
  const { profile, model, prices, jobs, html } = options;
  const output = new Output();
  const wrongPlace = html === undefined ? undefined : pageProblem(html);
  if (wrongPlace !== undefined) return complain(wrongPlace);
  // A page is written, or the exit code tells of loops, whoever reads the table.
  if (html !== undefined || options.failOnLoop) goOnUnread();
  const keepsSessions = options.json !== undefined || html !== undefined;
  const record = new AuditRecord(viewOf(options, output), profile, keepsSessions);
  if (options.merge) {
    await mergeLines(names, record, output);
  } else {
    const how = { jobs, asJudged: options.jsonl !== undefined };
    await judgeFiles(names, { profile, model, prices }, how, record, output);
  }
  let exitCode = record.close(options.failOnLoop !== undefined);
  if (html !== undefined) {
    const problem = writePage(html, record);
    if (problem !== undefined) exitCode = complain(problem);
  }
  await output.ready();
  return exitCode;
}

function viewOf({ json, jsonl, quiet }: AuditOptions, output: Output): AuditView {
  if (json) return new AuditJson(output);
  return jsonl ? new AuditJsonLines(output) : new AuditTable(output, quiet !== undefined);
}
