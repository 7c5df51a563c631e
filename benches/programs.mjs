// Programs from their start to their end, in the processor's time of them and of all that they start.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { addressOf } from "./contenders/turnkeeper.mjs";
import { writeClaude, writeCodex } from "./sessions.mjs";
import { median } from "./stopwatch.mjs";
import { line } from "./table.mjs";

/** Our program, which `cargo xtask bench` names. */
const program = () => {
  const file = process.env.TURNKEEPER_PROGRAM;
  if (!file) throw new Error("set TURNKEEPER_PROGRAM");
  return file;
};

const TIME = process.env.TIME_PATH ?? "/usr/bin/time";

/** A folder that goes with the process. */
function newFolder() {
  const folder = mkdtempSync(path.join(tmpdir(), "turnkeeper-bench-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** What a program prints, the nanoseconds of the processor that it took, and its megabytes of memory. */
function run(home, [file, ...args]) {
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    XDG_STATE_HOME: path.join(home, "state"),
    TZ: "UTC",
  };
  // The shell tells milliseconds, `time` the memory.
  const script = `TIMEFORMAT="%3U %3S"; time "$0" -f %M "$@"`;
  const { stdout, stderr, status } = spawnSync("bash", ["-c", script, TIME, file, ...args], {
    env,
    encoding: "utf8",
    maxBuffer: 1 << 30,
  });
  if (status !== 0) throw new Error(`${file} ${args.join(" ")}: ${stderr}`);
  const [kilobytes, user, system] = stderr.trim().split(/\s+/).slice(-3).map(Number);
  return { stdout, nanoseconds: (user + system) * 1e9, megabytes: kilobytes / 1_024 };
}

/** Both in turns. `check` looks at what they print. */
function race(row, home, ours, peer, theirs, rounds, check) {
  const results = { ours: [], theirs: [] };
  let megabytes = 0;
  for (let round = 0; round < Math.min(rounds, 5); round++) {
    const [one, other] = [run(home, ours), run(home, theirs)];
    if (round === 0) check?.(one.stdout, other.stdout);
    results.ours.push(one.nanoseconds);
    results.theirs.push(other.nanoseconds);
    megabytes = Math.max(megabytes, one.megabytes);
  }
  return [line(row, peer, median(results.ours), median(results.theirs), megabytes)];
}

const SESSIONS = 1_000;
const STEPS = 20;
const AGENTS = {
  "claude-code": { name: "claude", write: writeClaude },
  codex: { name: "codex", write: writeCodex },
};
const written = new Map();

/** A home folder with a thousand sessions of an agent, and what they record. */
function sessionsOf(agent) {
  if (!written.has(agent)) {
    const home = newFolder();
    const known = AGENTS[agent].write(home, { sessions: SESSIONS, steps: STEPS });
    written.set(agent, { home, known });
  }
  return written.get(agent);
}

/**
 * `turnkeeper audit` beside ccusage's native program, which looks for usage alone: its starter in JavaScript takes longer
 * than the program itself. The sums of both are those that the files were made with, to the token, and to the cent.
 */
export function audit(row, rounds) {
  const { home, known } = sessionsOf(row.agent);
  const args = ["audit", "--json", "--no-history", "--since", "all", "--agent", row.agent];
  const ours = [program(), ...args, ...(row.isUsage ? ["--usage"] : [])];
  const { resolve } = createRequire(import.meta.url);
  const ccusage = resolve("@ccusage/ccusage-linux-x64/bin/ccusage");
  spawnSync("chmod", ["+x", ccusage]);
  const theirs = [ccusage, AGENTS[row.agent].name, "daily", "--json", "--offline"];
  return race(row, home, ours, "ccusage", theirs, rounds, (one, other) => {
    const { usage } = JSON.parse(one).total;
    const { totals } = JSON.parse(other);
    const sums = [
      [known.input, usage.input, totals.inputTokens],
      [known.cacheRead, usage.cacheRead, totals.cacheReadTokens],
      [known.cacheWrite, usage.cacheWrite, totals.cacheCreationTokens],
      [known.output, usage.output, totals.outputTokens],
    ];
    const { totalCost = totals.costUSD } = totals;
    const isSame = sums.every(([sum, ...read]) => read.every((it) => it === sum));
    if (!isSame || Math.abs(usage.dollars - totalCost) >= 0.005) {
      throw new Error(
        `${row.work}: ${JSON.stringify({ sums, dollars: usage.dollars, totalCost })}`,
      );
    }
  });
}

/** A home folder with one session of Claude Code. */
function sessionOf(steps) {
  const home = newFolder();
  writeClaude(home, { sessions: 1, steps });
  const { stdout } = spawnSync("find", [home, "-name", "*.jsonl"], { encoding: "utf8" });
  const file = stdout.trim();
  if (!(statSync(file).size > steps * 4_000)) throw new Error(`${file} is short`);
  return { home, file };
}

/** A function's first call in a process, or a later one, beside another's. */
export function ownProcess(row, rounds) {
  const { file } = row.steps ? sessionOf(row.steps) : { file: "" };
  const script = fileURLToPath(new URL("own-process.mjs", import.meta.url));
  const once = (name, subpath) => {
    const args = [script, name, file, ...(subpath ? [addressOf(subpath)] : [])];
    const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: "utf8" });
    if (status !== 0) throw new Error(`${name}: ${stderr}`);
    return JSON.parse(stdout)[row.call];
  };
  const results = { ours: [], theirs: [] };
  for (let round = 0; round < Math.min(rounds, 5); round++) {
    results.ours.push(once(row.function, row.subpath));
    results.theirs.push(once(row.peer));
  }
  return [line(row, row.peer, median(results.ours), median(results.theirs))];
}

/** `turnkeeper repair` and `replay` of one session, beside Node that parses its lines. */
export function wholeFile(row, rounds) {
  const { home, file } = sessionOf(row.steps);
  const parse = `for (const line of require("fs").readFileSync(process.argv[1], "utf8").split("\\n")) {
    if (line !== "") JSON.parse(line);
  }`;
  const theirs = [process.execPath, "-e", parse, file];
  return race(row, home, [program(), ...row.args, file], "JSON.parse", theirs, rounds);
}

/** Events that are measured at once. */
const AT_ONCE = 8;
/** Calls of the session before. */
const CALLS_BEFORE = 1_000;
let calls = 0;

/** An event of each kind. */
const EVENTS = {
  UserPromptSubmit: () => ({ prompt: `Go on: ${++calls}.` }),
  PostToolUse: (bytes) => ({
    tool_name: "Bash",
    tool_use_id: `call-${++calls}`,
    tool_input: { command: `cat src/${calls}.ts` },
    tool_response: { stdout: resultOf(bytes), stderr: "", interrupted: false },
  }),
};

const resultOf = (bytes) => {
  const text = `${calls}: export const answer = ${calls};\n`;
  return text.repeat(Math.ceil(bytes / text.length));
};

/** An event of Claude Code's hook, by the line that `install` writes, on a long session. */
export function hook(row, rounds) {
  const home = newFolder();
  run(home, [program(), "install", "claude-code", "--yes"]);
  const settings = JSON.parse(readFileSync(path.join(home, ".claude/settings.json"), "utf8"));
  const { command } = settings.hooks[row.event][0].hooks[0];
  const write = (event, count, bytes) => {
    const folder = path.join(home, "events");
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    const common = { session_id: "bench", prompt_id: "1", hook_event_name: event };
    for (let at = 0; at < count; at++) {
      const text = JSON.stringify({ ...common, ...EVENTS[event](bytes) });
      writeFileSync(path.join(folder, `${at}.json`), text);
    }
    return folder;
  };
  // The shell is theirs, too.
  const shell = (line, folder) =>
    run(home, [
      "sh",
      "-c",
      `for event in "$0"/*; do ${line} < "$event" > /dev/null || exit 1; done`,
      folder,
    ]);
  shell(command, write("PostToolUse", CALLS_BEFORE, 1_500));
  const results = { ours: [], theirs: [] };
  let megabytes = 0;
  for (let round = 0; round < Math.min(rounds, 9); round++) {
    const folder = write(row.event, AT_ONCE, row.bytes ?? 1_500);
    const [one, other] = [shell(command, folder), shell(`'${process.execPath}' -e 0`, folder)];
    results.ours.push(one.nanoseconds / AT_ONCE);
    results.theirs.push(other.nanoseconds / AT_ONCE);
    megabytes = Math.max(megabytes, one.megabytes);
  }
  return [line(row, "node -e 0", median(results.ours), median(results.theirs), megabytes)];
}
