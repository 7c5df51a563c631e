// One event of an agent's hook, as a process from its start to its end, beside a Node that does nothing.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { median } from "./stopwatch.mjs";
import { line } from "./table.mjs";

const common = { session_id: "bench", prompt_id: "1" };
let calls = 0;

/** An event of each kind. */
const EVENTS = {
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
};

/** Events that are measured at once. */
const AT_ONCE = 8;

/** Results come before each of the others, so that there is a state to read. */
export function hookEvent(row, rounds) {
  const folder = mkdtempSync(path.join(tmpdir(), "turnkeeper-bench-"));
  const events = path.join(folder, "events");
  mkdirSync(events);
  const env = { ...process.env, TURNKEEPER_STATE: path.join(folder, "state") };
  const write = (make) => {
    for (let at = 0; at < AT_ONCE; at++) {
      writeFileSync(path.join(events, `${at}.json`), JSON.stringify(make()));
    }
  };
  const ours = [process.env.TURNKEEPER_PROGRAM, "hook", "claude-code"];
  try {
    write(EVENTS.results);
    run(ours, events, env);
    const results = { ours: [], theirs: [] };
    for (let round = 0; round < Math.min(rounds, 9); round++) {
      write(EVENTS[row.event]);
      results.ours.push(run(ours, events, env));
      results.theirs.push(run([process.execPath, "-e", "0"], events, env));
    }
    return [line(row, "node -e 0", median(results.ours), median(results.theirs))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The shell knows the time of the processor that its children took. */
const LOOP = `folder=$1; shift; TIMEFORMAT="%3U %3S"
time for event in "$folder"/*; do "$@" < "$event" > /dev/null || exit 1; done`;

/** Nanoseconds of the processor from the start of a program to its end. */
function run(command, events, env) {
  const { status, stderr } = spawnSync("bash", ["-c", LOOP, "bash", events, ...command], {
    env,
    encoding: "utf8",
  });
  const seconds = stderr.trim().split("\n").at(-1).split(" ").map(Number);
  if (status !== 0 || seconds.some(Number.isNaN)) throw new Error(`${command}: ${stderr}`);
  return ((seconds[0] + seconds[1]) * 1e9) / AT_ONCE;
}
