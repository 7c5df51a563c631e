// One event of an agent's hook, as a process from its start to its end, beside a Node that does nothing.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { median } from "./stopwatch.mjs";

const common = { session_id: "bench", prompt_id: "1" };
let calls = 0;

/** An event of each kind. */
const EVENTS = {
  other: () => ({ ...common, hook_event_name: "Notification" }),
  prompt: () => ({ ...common, hook_event_name: "UserPromptSubmit", prompt: `Go on: ${++calls}.` }),
  results: () => ({
    ...common,
    hook_event_name: "PostToolBatch",
    tool_calls: [
      {
        tool_name: "Bash",
        tool_use_id: `call-${++calls}`,
        tool_input: { command: `cat src/${calls}.ts` },
        tool_response: `${calls}: export const answer = ${calls};\n`.repeat(40),
      },
    ],
  }),
  compaction: () => ({
    ...common,
    hook_event_name: "SessionStart",
    source: "compact",
    at: ++calls,
  }),
};

/** Results come before each of the others, so that there is a state to read. */
export function hookEvent(row, rounds) {
  const state = mkdtempSync(path.join(tmpdir(), "turnkeeper-bench-"));
  const program = process.env.TURNKEEPER_PROGRAM;
  const env = { ...process.env, TURNKEEPER_STATE: state };
  const send = (event) => [program, ["hook", "claude-code"], { env, input: JSON.stringify(event) }];
  try {
    for (let at = 0; at < 3; at++) run(...send(EVENTS.results()));
    const results = { ours: [], theirs: [] };
    for (let round = 0; round < 3 * Math.min(rounds, 9); round++) {
      results.ours.push(run(...send(EVENTS[row.event]())));
      results.theirs.push(run(process.execPath, ["-e", "0"], {}));
    }
    const [ours, theirs] = [median(results.ours), median(results.theirs)];
    const { work, target } = row;
    return [{ work, peer: "node -e 0", ours, theirs, target, isMet: theirs / ours >= target }];
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
}

/** Nanoseconds from the start of a program to its end. */
function run(program, args, options) {
  const begin = process.hrtime.bigint();
  const { status, stderr } = spawnSync(program, args, options);
  const time = Number(process.hrtime.bigint() - begin);
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${stderr}`);
  return time;
}
