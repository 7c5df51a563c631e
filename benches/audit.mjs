// `turnkeeper audit` beside ccusage on the same files of Claude Code and Codex: the same sums to the token and
// the cent, and the time. ccusage is native and looks for usage alone; the audit reads what was said and done,
// too. The files are made up, so what they record is known.
//   TURNKEEPER_APP=… node benches/audit.mjs [sessions]

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createRequire } from "node:module";

import { command } from "../tests/js/node/installed-package.mjs";

const SESSIONS = Number(process.argv[2] ?? 1_000);
const STEPS = 40;
const home = mkdtempSync(path.join(tmpdir(), "turnkeeper-audit-"));
process.on("exit", () => rmSync(home, { recursive: true, force: true }));

let seed = 7;
function random(below) {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
  return (seed >> 8) % below;
}
/** Sentences without a loop. */
const WORDS =
  "the parser reads each line and keeps what a later one may change where tests show it".split(" ");
const prose = () => Array.from({ length: 50 }, () => WORDS[random(WORDS.length)]).join(" ");
const id = (n) => `5d0c7b1e-0000-4000-8000-${String(n).padStart(12, "0")}`;
const time = (seconds) => new Date(Date.UTC(2026, 9, 1) + seconds * 1_000).toISOString();
function write(name, rows) {
  const file = path.join(home, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
}

/** What the files record: each answer once, and each request once. */
const claude = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };
const codex = { input: 0, cacheRead: 0, output: 0 };

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
      rows.push(line({ type: "text", text: prose() }, usage), line(call, whole), {
        type: "user",
        uuid: `r${n}-${k}`,
        timestamp,
        message: { role: "user", content: result },
        ...common,
      });
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
      codex.input += input - last.cached_input_tokens;
      codex.cacheRead += last.cached_input_tokens;
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
      if (k % 2 === 1) rows.push(at(2));
    }
    write(`.codex/sessions/2026/10/01/rollout-2026-10-01T00-00-00-${id(n)}.jsonl`, rows);
  }
}

/** What a program prints as JSON, with its seconds and megabytes. */
function measured(file, args) {
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    XDG_STATE_HOME: path.join(home, "state"),
    TZ: "UTC",
  };
  const started = performance.now();
  const { stdout, stderr, status } = spawnSync(
    "/usr/bin/env",
    ["time", "-f", "%U %M", file, ...args],
    { env, encoding: "utf8", maxBuffer: 1 << 30 },
  );
  assert.equal(status, 0, stderr);
  const seconds = (performance.now() - started) / 1_000;
  const [cpu, kilobytes] = stderr.trim().split("\n").at(-1).split(" ").map(Number);
  return { value: JSON.parse(stdout), seconds, cpu, megabytes: kilobytes / 1_024 };
}

/** The native program for Linux: its starter in JavaScript takes longer than the program itself. */
const { resolve } = createRequire(import.meta.url);
const native = resolve("@ccusage/ccusage-linux-x64/bin/ccusage");
// Its starter would make it a program.
chmodSync(native, 0o755);

writeClaude();
writeCodex();
const rows = [];
for (const [agent, name, known] of [
  ["claude-code", "claude", claude],
  ["codex", "codex", codex],
]) {
  const args = ["audit", "--json", "--no-history", "--since", "all", "--agent", agent];
  const ours = measured(process.execPath, [command, ...args]);
  const theirs = measured(native, [name, "daily", "--json", "--offline"]);
  const { input, cacheRead, cacheWrite, output, dollars } = ours.value.total.usage;
  const { totals } = theirs.value;
  const sums = [input, cacheRead, cacheWrite, output];
  assert.deepEqual(sums, [known.input, known.cacheRead, known.cacheWrite ?? 0, known.output]);
  const { inputTokens, cacheReadTokens, cacheCreationTokens, outputTokens } = totals;
  assert.deepEqual(sums, [inputTokens, cacheReadTokens, cacheCreationTokens, outputTokens]);
  const { totalCost = totals.costUSD } = totals;
  assert.ok(Math.abs(dollars - totalCost) < 0.005, `${dollars} and ${totalCost} dollars`);
  for (const [program, { seconds, cpu, megabytes }] of Object.entries({ ours, theirs })) {
    const row = {
      seconds: seconds.toFixed(2),
      cpu: cpu.toFixed(2),
      megabytes: Math.round(megabytes),
    };
    rows.push({ agent, program, ...row });
  }
}
console.table(rows);
