import path from "node:path";

import { InputError } from "../../saved/event-lines.js";
import { describe } from "../complain.js";
import { findInputs, type Input } from "../files/inputs.js";
import type { Output } from "../terminal/output.js";
import { Progress } from "../terminal/progress.js";

import type { JudgedSession, Rules } from "./judge.js";
import { inOrder, judgeAll, usualJobs } from "./judges.js";
import type { AuditRecord } from "./record.js";

/** Judges the sessions in files and folders. */
export async function judgeFiles(
  names: readonly string[],
  rules: Rules,
  { jobs, asJudged }: { jobs: number | undefined; asJudged: boolean },
  record: AuditRecord,
  output: Output,
): Promise<void> {
  const inputs = withoutTwins(
    findInputs(names, () => true, record.problem),
    record,
  );
  record.begin(inputs.map(nameOf));
  const progress = new Progress(inputs);
  try {
    const judged = judgeAll(inputs, rules, jobs ?? usualJobs(inputs), progress);
    for await (const { index, outcome } of asJudged ? judged : inOrder(judged)) {
      const input = inputs[index]!;
      if ("session" in outcome) takeIn(outcome.session, input, record);
      else if (isSkipped(outcome.problem, input))
        record.skip(input.file, reasonOf(outcome.problem));
      else record.problem(outcome.problem);
      await output.ready();
    }
  } finally {
    progress.end();
  }
  if (record.total.sessions === 0 && record.problems.length === 0) {
    for (const name of names) record.problem(new InputError(name, "has no sessions"));
  }
}

function takeIn(session: JudgedSession, input: Input, record: AuditRecord): void {
  record.session(session, nameOf(input));
  const { cutOff } = session;
  if (!cutOff) return;
  const message = `is cut off, so only what came before it was judged: it ${cutOff.reason}`;
  record.problem(new InputError(input.file, message, cutOff.line));
}

/** Below the folder that was named. */
export function nameOf({ file, folder }: Input): string {
  return folder === undefined ? file : path.relative(folder, file) || path.basename(file);
}

/**
 * Cline keeps a conversation twice, as a history and as what its panel shows; the history says more. A repair
 * in place keeps it as it was before, too.
 */
function withoutTwins(inputs: readonly Input[], record: AuditRecord): Input[] {
  const files = new Set(inputs.map(({ file }) => file));
  return inputs.filter(({ file, folder }) => {
    if (folder === undefined) return true;
    const repaired = file.replace(/\.bak$/, "");
    if (repaired !== file && files.has(repaired)) {
      record.skip(file, `is what ${path.basename(repaired)} beside it was before its repair`);
      return false;
    }
    if (path.basename(file) !== "ui_messages.json") return true;
    const history = path.join(path.dirname(file), "api_conversation_history.json");
    if (!files.has(history)) return true;
    record.skip(file, `shows the same conversation as ${path.basename(history)} beside it`);
    return false;
  });
}

/** Whether a file that nobody named may be passed over: it is not even called like a session. */
function isSkipped(error: InputError, { file, folder, parts }: Input): boolean {
  // What is kept in several files was recognised by them.
  if (folder === undefined || parts || error.file !== file) return false;
  const looksLikeOne = /^\.(jsonl?|ndjson|traj)$/.test(path.extname(file));
  return (
    error.isUnknown || (!looksLikeOne && !/may not be read|cannot be read/.test(error.message))
  );
}

function reasonOf(error: InputError): string {
  return describe(error).slice(error.file.length).replace(/^, /, "").trim();
}
