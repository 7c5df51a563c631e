import { statSync } from "node:fs";
import path from "node:path";

import { AGENT_NAMES, type AgentName } from "../../analysis/agents.js";
import { twinOf } from "../../analysis/twins.js";
import { InputError } from "../../saved/event-lines.js";
import { describe } from "../complain.js";
import { findInputs, type Input } from "../files/inputs.js";
import { findSessions } from "../find/find-sessions.js";
import type { Output } from "../terminal/output.js";
import { Progress } from "../terminal/progress.js";

import type { JudgedSession, JudgeSettings } from "./judge.js";
import { inOrder, judgeAll, usualJobs } from "./judges.js";
import type { AuditRecord } from "./record.js";

/** How sessions are judged. */
interface How {
  jobs: number | undefined;
  /** In the order in which they are done. */
  asJudged: boolean;
  /** Only theirs; undefined for all. */
  agents: readonly AgentName[] | undefined;
}

/** Judges the sessions in files and folders; without any, those in the folders of agents. */
export async function judgeFiles(
  names: readonly string[],
  rules: JudgeSettings,
  { jobs, asJudged, agents }: How,
  record: AuditRecord,
  output: Output,
): Promise<void> {
  const isFound = names.length === 0;
  const found = isFound
    ? findSessions({
        agents: agents ?? AGENT_NAMES,
        since: record.period.since,
        complain: record.problem,
        missing: (message) => record.missing.push(message),
      })
    : findInputs(names, () => true, record.problem);
  // Who looks for sessions is not told of files that stand beside them.
  const inputs = withoutTwins(found, isFound ? undefined : record);
  const progress = new Progress(inputs);
  try {
    const judged = judgeAll(inputs, rules, jobs ?? usualJobs(inputs), progress);
    for await (const { index, outcome } of asJudged ? judged : inOrder(judged)) {
      const input = inputs[index]!;
      if ("session" in outcome) {
        if (isOf(outcome.session, agents)) takeIn(outcome.session, input, record);
      } else if (isSkipped(outcome.problem, input))
        record.skip(input.file, reasonOf(outcome.problem));
      else record.problem(outcome.problem);
      await output.ready();
    }
  } finally {
    progress.end();
  }
  if (record.total.sessions > 0 || record.problems.length > 0) return;
  if (isFound) {
    const where = agents === undefined ? "of any agent" : `of ${agents.join(", ")}`;
    const further = record.period.since > -Infinity ? "; --since all looks further back" : "";
    record.missing.push(`${record.period.title}: no session ${where} was found${further}`);
  } else if (record.period.isAll && agents === undefined) {
    for (const name of names) record.problem(new InputError(name, "has no sessions"));
  } else {
    const whose = agents === undefined ? "" : ` of ${agents.join(", ")}`;
    record.missing.push(`${record.period.title}: no session${whose} is in what was named`);
  }
}

function takeIn(session: JudgedSession, input: Input, record: AuditRecord): void {
  record.session(session, writtenAt(input));
  const { cutOff } = session;
  if (!cutOff) return;
  const message = `is cut off, so only what came before it was judged: it ${cutOff.reason}`;
  record.problem(new InputError(input.file, message, cutOff.line));
}

function isOf({ report }: JudgedSession, agents: readonly AgentName[] | undefined): boolean {
  return agents === undefined || agents.some((each) => each === report.agent);
}

/** When a file was written last; undefined for standard input and for a session in a database. */
function writtenAt({ file, parts, database }: Input): number | undefined {
  if (file === "-" || database !== undefined) return undefined;
  return statSync(parts?.at(-1) ?? file, { throwIfNoEntry: false })?.mtimeMs;
}

/** Without files that others beside them stand for. */
function withoutTwins(inputs: readonly Input[], record: AuditRecord | undefined): Input[] {
  const files = new Set(inputs.map(({ file }) => file));
  return inputs.filter(({ file, folder }) => {
    const reason = folder === undefined ? undefined : twinOf(file, (each) => files.has(each));
    if (reason !== undefined) record?.skip(file, reason);
    return reason === undefined;
  });
}

/** Whether a file that nobody named may be passed over: it is not even called like a session. */
function isSkipped(error: InputError, { file, folder, parts }: Input): boolean {
  // A session that is kept in several files was recognised by them.
  if (folder === undefined || parts || error.file !== file) return false;
  const looksLikeOne = /^\.(jsonl?|ndjson|traj)$/.test(path.extname(file));
  return (
    error.isUnknown || (!looksLikeOne && !/may not be read|cannot be read/.test(error.message))
  );
}

function reasonOf(error: InputError): string {
  return describe(error).slice(error.file.length).replace(/^, /, "").trim();
}
