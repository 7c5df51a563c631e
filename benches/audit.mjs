// `turnkeeper audit` beside ccusage on the same files of Claude Code and Codex: the sums, every difference
// explained, and the time. The files are made up, so what they record is known.
//   TURNKEEPER_APP=… node benches/audit.mjs [sessions]

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { command } from "../tests/node/installed-package.mjs";

const SESSIONS = Number(process.argv[2] ?? 1_000);
const STEPS = 40;
const home = mkdtempSync(path.join(tmpdir(), "turnkeeper-audit-"));
process.on("exit", () => rmSync(home, { recursive: true, force: true }));

let seed = 7;
function random(below) {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
  return (seed >> 8) % below;
}
const id = (n) => `5d0c7b1e-0000-4000-8000-${String(n).padStart(12, "0")}`;
const time = (seconds) => new Date(Date.UTC(2026, 9, 1) + seconds * 1_000).toISOString();
function write(name, rows) {
  const file = path.join(home, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
}

/** What the files record, each answer once; and what stands in the first line of each answer. */
const claude = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, firstOutput: 0 };
/** Each request once, and what stands in the lines that repeat an unchanged sum. */
const codex = { input: 0, cached: 0, output: 0, repeatedInput: 0, repeatedOutput: 0 };

/** Answers of two lines, whose output grows; every tenth session begins with lines of the one before. */
function writeClaude() {
  let before = [];
  for (let n = 0; n < SESSIONS; n += 1) {
    const common = { sessionId: id(n), cwd: `/home/user/p${n % 17}`, version: "2.1.0" };
    const rows = n % 10 === 9 ? before.slice(0, 12).map((row) => ({ ...row, ...common })) : [];
    const prompt = { role: "user", content: "Fix the footer." };
    rows.push({
      type: "user",
      uuid: `u${n}`,
      timestamp: time(600 * n),
      message: prompt,
      ...common,
    });
    for (let k = 0; k < STEPS; k += 1) {
      const first = 1 + random(8);
      const usage = {
        input_tokens: random(20),
        cache_creation_input_tokens: random(3_000),
        cache_read_input_tokens: random(90_000),
        output_tokens: first,
      };
      const whole = { ...usage, output_tokens: first + random(900) };
      claude.input += usage.input_tokens;
      claude.cacheRead += usage.cache_read_input_tokens;
      claude.cacheWrite += usage.cache_creation_input_tokens;
      claude.output += whole.output_tokens;
      claude.firstOutput += first;
      const timestamp = time(600 * n + 10 * k);
      const line = (part, used) => ({
        type: "assistant",
        uuid: `a${n}-${k}-${part.type}`,
        requestId: `req_${n}_${k}`,
        timestamp,
        message: {
          id: `msg_${n}_${k}`,
          role: "assistant",
          model: "claude-sonnet-4-5-20250929",
          content: [part],
          usage: used,
        },
        ...common,
      });
      const call = {
        type: "tool_use",
        id: `t${n}_${k}`,
        name: "Read",
        input: { file_path: `f${k}.ts` },
      };
      const content = `export const a${k} = ${k};\n`.repeat(60);
      const result = [{ type: "tool_result", tool_use_id: call.id, content }];
      rows.push(
        line({ type: "text", text: "I look at it. ".repeat(20) }, usage),
        line(call, whole),
        {
          type: "user",
          uuid: `r${n}-${k}`,
          timestamp,
          message: { role: "user", content: result },
          ...common,
        },
      );
    }
    write(`.claude/projects/-home-user-p${n % 17}/${id(n)}.jsonl`, rows);
    before = rows;
  }
}

/** Counts of tokens, of which every other one is repeated. */
function writeCodex() {
  for (let n = 0; n < SESSIONS / 5; n += 1) {
    const sum = {
      input_tokens: 0,
      cached_input_tokens: 0,
      output_tokens: 0,
      reasoning_output_tokens: 0,
      total_tokens: 0,
    };
    const rows = [
      { timestamp: time(600 * n), type: "session_meta", payload: { id: id(n), cwd: "/w" } },
      {
        timestamp: time(600 * n),
        type: "turn_context",
        payload: { cwd: "/w", model: "gpt-5.1-codex" },
      },
    ];
    for (let k = 0; k < STEPS; k += 1) {
      const [input, output] = [1_000 + random(50_000), random(900)];
      const last = {
        input_tokens: input,
        cached_input_tokens: random(input),
        output_tokens: output,
        reasoning_output_tokens: 0,
        total_tokens: input + output,
      };
      for (const part of Object.keys(sum)) sum[part] += last[part];
      codex.input += input;
      codex.cached += last.cached_input_tokens;
      codex.output += output;
      const message = {
        type: "message",
        role: "assistant",
        content: [{ type: "output_text", text: "." }],
      };
      const info = { last_token_usage: last, total_token_usage: { ...sum } };
      const at = (more) => ({
        timestamp: time(600 * n + 9 * k + more),
        type: "event_msg",
        payload: { type: "token_count", info },
      });
      rows.push(
        { timestamp: time(600 * n + 9 * k), type: "response_item", payload: message },
        at(1),
      );
      if (k % 2 === 0) continue;
      rows.push(at(2));
      codex.repeatedInput += input;
      codex.repeatedOutput += output;
    }
    write(`.codex/sessions/2026/10/01/rollout-2026-10-01T00-00-00-${id(n)}.jsonl`, rows);
  }
}

/** What a program prints as JSON, with its seconds and megabytes. */
function measured(args) {
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    XDG_STATE_HOME: path.join(home, "state"),
    TZ: "UTC",
  };
  const started = performance.now();
  const { stdout, stderr, status } = spawnSync(
    "/usr/bin/env",
    ["time", "-f", "%M", process.execPath, ...args],
    {
      env,
      encoding: "utf8",
      maxBuffer: 1 << 30,
    },
  );
  assert.equal(status, 0, stderr);
  const seconds = (performance.now() - started) / 1_000;
  return {
    value: JSON.parse(stdout),
    seconds,
    megabytes: Number(stderr.trim().split("\n").at(-1)) / 1_024,
  };
}

const theirs = (name) =>
  fileURLToPath(new URL(`node_modules/${name}/dist/index.js`, import.meta.url));
const ours = (agent) => measured([command, "audit", "--json", "--since", "all", "--agent", agent]);

writeClaude();
writeCodex();
const rows = [];
function show(agent, mine, other) {
  for (const [name, { seconds, megabytes }] of [
    ["turnkeeper", mine],
    ["ccusage", other],
  ]) {
    rows.push({ agent, name, seconds: seconds.toFixed(2), megabytes: Math.round(megabytes) });
  }
}

const mine = ours("claude-code");
const other = measured([theirs("ccusage"), "daily", "--json", "--offline"]);
const { usage } = mine.value.total;
const { totals } = other.value;
// The parts of the input are the same, and those of the files.
assert.deepEqual(
  [usage.input, usage.cacheRead, usage.cacheWrite],
  [totals.inputTokens, totals.cacheReadTokens, totals.cacheCreationTokens],
);
assert.deepEqual(
  [usage.input, usage.cacheRead, usage.cacheWrite],
  [claude.input, claude.cacheRead, claude.cacheWrite],
);
// ccusage takes the first line of an answer, in which the output has just begun; the last one has all of it.
assert.deepEqual([usage.output, totals.outputTokens], [claude.output, claude.firstOutput]);
// So the dollars differ by what the rest of the output costs, and by nothing else.
const rest = ((claude.output - claude.firstOutput) * 15) / 1e6;
assert.ok(
  Math.abs(usage.dollars - rest - totals.totalCost) < 0.01 * Math.max(1, totals.totalCost / 1e4),
);
show("Claude Code", mine, other);

const rollouts = ours("codex");
const counted = measured([theirs("@ccusage/codex"), "daily", "--json", "--offline"]);
const used = rollouts.value.total.usage;
const sums = counted.value.totals;
assert.deepEqual(
  [used.input + used.cacheRead, used.cacheRead, used.output],
  [codex.input, codex.cached, codex.output],
);
// ccusage counts lines again that repeat an unchanged sum.
assert.deepEqual(
  [sums.inputTokens - codex.repeatedInput, sums.outputTokens - codex.repeatedOutput],
  [codex.input, codex.output],
);
show("Codex", rollouts, counted);
console.table(rows);
