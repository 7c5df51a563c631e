// `turnkeeper audit`, whole and of the usage alone, beside ccusage on the same files of Claude Code and Codex: the same
// sums to the token and the cent, and the time. ccusage is native and looks for usage alone; the whole audit reads what
// was said and done, too. The files are made up, so what they record is known.
//   TURNKEEPER_PROGRAM=… node benches/audit.mjs [sessions]

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createRequire } from "node:module";

import { writeClaude, writeCodex } from "./sessions.mjs";

const program = process.env.TURNKEEPER_PROGRAM;
if (!program) throw new Error("set TURNKEEPER_PROGRAM");
const SESSIONS = Number(process.argv[2] ?? 1_000);
const STEPS = 20;
const home = mkdtempSync(path.join(tmpdir(), "turnkeeper-audit-"));
process.on("exit", () => rmSync(home, { recursive: true, force: true }));

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
    ["time", "-f", "%U %S %M", file, ...args],
    { env, encoding: "utf8", maxBuffer: 1 << 30 },
  );
  assert.equal(status, 0, stderr);
  const seconds = (performance.now() - started) / 1_000;
  const [user, system, kilobytes] = stderr.trim().split("\n").at(-1).split(" ").map(Number);
  return { value: JSON.parse(stdout), seconds, cpu: user + system, megabytes: kilobytes / 1_024 };
}

/** ccusage's native program for Linux: its starter in JavaScript takes longer than the program itself. */
const { resolve } = createRequire(import.meta.url);
const native = resolve("@ccusage/ccusage-linux-x64/bin/ccusage");
// Its starter would make it a program.
chmodSync(native, 0o755);

const claude = writeClaude(home, { sessions: SESSIONS, steps: STEPS });
const codex = writeCodex(home, { sessions: SESSIONS, steps: STEPS });
const rows = [];
for (const [agent, name, known] of [
  ["claude-code", "claude", claude],
  ["codex", "codex", codex],
]) {
  const args = ["audit", "--json", "--no-history", "--since", "all", "--agent", agent];
  const audit = measured(program, args);
  const usage = measured(program, [...args, "--usage"]);
  const ccusage = measured(native, [name, "daily", "--json", "--offline"]);
  const { totals } = ccusage.value;
  const { totalCost = totals.costUSD } = totals;
  const sums = [known.input, known.cacheRead, known.cacheWrite, known.output];
  const { inputTokens, cacheReadTokens, cacheCreationTokens, outputTokens } = totals;
  assert.deepEqual([inputTokens, cacheReadTokens, cacheCreationTokens, outputTokens], sums);
  for (const { value } of [audit, usage]) {
    const { input, cacheRead, cacheWrite, output, dollars } = value.total.usage;
    assert.deepEqual([input, cacheRead, cacheWrite, output], sums);
    assert.ok(Math.abs(dollars - totalCost) < 0.005, `${dollars} and ${totalCost} dollars`);
  }
  const all = { audit, "audit --usage": usage, ccusage };
  for (const [work, { seconds, cpu, megabytes }] of Object.entries(all)) {
    const row = {
      seconds: seconds.toFixed(2),
      cpu: cpu.toFixed(2),
      megabytes: Math.round(megabytes),
    };
    rows.push({ agent, work, ...row });
  }
}
console.table(rows);
