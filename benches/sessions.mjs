// Sessions of Claude Code and Codex like the real ones, and what they record. Of a real file of Claude Code's a quarter
// is `toolUseResult`, which repeats a result for the panel; results and edits have line breaks and quotes; an answer is
// a line a block, with the same usage; some are fast; and a session that was resumed begins with lines of the one before.

import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

import { codeOf, proseOf } from "./inputs.mjs";

/** Numbers below a limit, the same at every run. */
function randomFrom(start) {
  let seed = start;
  return (below) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (seed >> 8) % below;
  };
}

const id = (n) => `5d0c7b1e-0000-4000-8000-${String(n).padStart(12, "0")}`;
const time = (seconds) => new Date(Date.UTC(2026, 9, 1) + seconds * 1_000).toISOString();

function write(file, rows) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
}

/** Texts to cut pieces from. */
const [code, prose] = [codeOf(), proseOf("english")];
const pieceOf = (text, random, length) => {
  const at = random(text.length - length);
  return text.slice(at, at + length);
};

/** The tools that a step may call, as often as agents do: arguments, and what comes back for the model and the panel. */
const STEPS = [
  (random, n) => {
    const content = pieceOf(code, random, 500 + random(3_500));
    const file = { filePath: `/home/user/p/src/f${n}.ts`, content, numLines: 40, startLine: 1 };
    return ["Read", { file_path: file.filePath }, numbered(content), { type: "text", file }];
  },
  (random, n) => {
    const output = pieceOf(code, random, 300 + random(1_800));
    const result = { stdout: output, stderr: "", interrupted: false, isImage: false };
    return ["Bash", { command: `pnpm test src/f${n}.ts`, description: "Test" }, output, result];
  },
  (random, n) => {
    const [before, after] = [pieceOf(code, random, 300), pieceOf(code, random, 350)];
    const input = { file_path: `/home/user/p/src/f${n}.ts`, old_string: before, new_string: after };
    const lines = [before, after].flatMap((text) => text.split("\n"));
    const hunk = { oldStart: n, oldLines: 9, newStart: n, newLines: 9, lines };
    const result = {
      filePath: input.file_path,
      oldString: before,
      newString: after,
      originalFile: null,
      structuredPatch: [hunk],
      userModified: false,
    };
    return ["Edit", input, `The file ${input.file_path} has been updated.\n${after}`, result];
  },
  (random, n) => {
    const files = Array.from({ length: 30 }, (_, at) => `src/part-${n}/f${at}.ts`);
    const result = { mode: "content", filenames: [], numFiles: 0, numLines: files.length };
    return ["Grep", { pattern: `part_${n}`, path: "src" }, files.join("\n"), result];
  },
];

const numbered = (text) =>
  text
    .split("\n")
    .map((line, at) => `${String(at + 1).padStart(6)}→${line}`)
    .join("\n");

/** Writes sessions of Claude Code below a home folder, and answers with what they record, each answer once. */
export function writeClaude(home, { sessions, steps }) {
  const random = randomFrom(7);
  const known = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };
  let before = [];
  for (let n = 0; n < sessions; n += 1) {
    const common = {
      isSidechain: false,
      userType: "external",
      cwd: `/home/user/p${n % 17}`,
      sessionId: id(n),
      version: "2.1.89",
      gitBranch: "main",
    };
    const rows = n % 10 === 9 ? before.slice(0, 12).map((row) => ({ ...row, ...common })) : [];
    let last = null;
    const add = (row, seconds) => {
      const uuid = `${row.type[0]}${n}-${rows.length}`;
      rows.push({ parentUuid: last, ...common, ...row, uuid, timestamp: time(seconds) });
      last = uuid;
    };
    const begun = 600 * n;
    const prompt = {
      role: "user",
      content: `Fix the footer of part ${n}. ${pieceOf(prose, random, 200)}`,
    };
    add({ type: "user", message: prompt }, begun);
    for (let k = 0; k < steps; k += 1) {
      const first = 1 + random(8);
      const usage = {
        input_tokens: random(20),
        cache_creation_input_tokens: random(3_000),
        cache_read_input_tokens: random(90_000),
        cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
        output_tokens: first,
        service_tier: "standard",
        ...(n % 50 === 3 && { speed: "fast" }),
      };
      usage.cache_creation.ephemeral_5m_input_tokens = usage.cache_creation_input_tokens;
      const whole = { ...usage, output_tokens: first + random(900) };
      known.input += usage.input_tokens;
      known.cacheRead += usage.cache_read_input_tokens;
      known.cacheWrite += usage.cache_creation_input_tokens;
      known.output += whole.output_tokens;
      const at = begun + 10 * k;
      const answer = (part, used) => ({
        type: "assistant",
        requestId: `req_${n}_${k}`,
        message: {
          model: n % 50 === 3 ? "claude-opus-4-6" : "claude-sonnet-4-5-20250929",
          id: `msg_${n}_${k}`,
          type: "message",
          role: "assistant",
          content: [part],
          stop_reason: null,
          stop_sequence: null,
          usage: used,
        },
      });
      const [name, input, content, toolUseResult] = STEPS[random(STEPS.length)](
        random,
        n * steps + k,
      );
      const thinking = pieceOf(prose, random, 200 + random(400));
      if (k % 3 === 0)
        add(answer({ type: "thinking", thinking, signature: "c2ln".repeat(60) }, usage), at);
      add(answer({ type: "text", text: pieceOf(prose, random, 80 + random(300)) }, usage), at + 1);
      const call = { type: "tool_use", id: `toolu_${n}_${k}`, name, input };
      add(answer(call, whole), at + 2);
      const result = [{ tool_use_id: call.id, type: "tool_result", content, is_error: false }];
      add({ type: "user", message: { role: "user", content: result }, toolUseResult }, at + 3);
    }
    write(path.join(home, `.claude/projects/-home-user-p${n % 17}/${id(n)}.jsonl`), rows);
    before = rows;
  }
  return known;
}

/** Writes rollouts of Codex, in which every other count of tokens is repeated. */
export function writeCodex(home, { sessions, steps }) {
  const random = randomFrom(11);
  const known = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };
  for (let n = 0; n < sessions; n += 1) {
    const sum = {
      input_tokens: 0,
      cached_input_tokens: 0,
      output_tokens: 0,
      reasoning_output_tokens: 0,
      total_tokens: 0,
    };
    const begun = time(600 * n);
    const rows = [];
    const add = (type, payload, timestamp = begun) => rows.push({ timestamp, type, payload });
    add("session_meta", {
      id: id(n),
      timestamp: begun,
      cwd: "/w",
      instructions: pieceOf(prose, random, 4_000),
    });
    add("turn_context", { cwd: "/w", model: "gpt-5.1-codex", approval_policy: "on-request" });
    const words = { type: "input_text", text: `Fix the header of part ${n}.` };
    add("response_item", { type: "message", role: "user", content: [words] });
    add("event_msg", { type: "user_message", message: words.text });
    for (let k = 0; k < steps; k += 1) {
      const [input, output] = [1_000 + random(50_000), random(900)];
      const last = {
        input_tokens: input,
        cached_input_tokens: random(input),
        output_tokens: output,
        reasoning_output_tokens: 0,
        total_tokens: input + output,
      };
      for (const part of Object.keys(sum)) sum[part] += last[part];
      known.input += input - last.cached_input_tokens;
      known.cacheRead += last.cached_input_tokens;
      known.output += output;
      const info = {
        total_token_usage: { ...sum },
        last_token_usage: last,
        model_context_window: 272_000,
      };
      const at = (seconds) => time(600 * n + 9 * k + seconds);
      const call = `call_${n}_${k}`;
      const command = `rg part_${k} src/f${random(90)}.ts`;
      const secret = "Z0FBQUFB".repeat(60 + random(60));
      add("response_item", { type: "reasoning", summary: [], encrypted_content: secret }, at(0));
      const args = JSON.stringify({ command: ["bash", "-lc", command], workdir: "/w" });
      add(
        "response_item",
        { type: "function_call", name: "shell", arguments: args, call_id: call },
        at(1),
      );
      const output_text = JSON.stringify({
        output: pieceOf(code, random, 300 + random(3_000)),
        metadata: { exit_code: 0, duration_seconds: 0.1 },
      });
      add(
        "response_item",
        { type: "function_call_output", call_id: call, output: output_text },
        at(2),
      );
      const count = { type: "token_count", info, rate_limits: { primary: { used_percent: 4.0 } } };
      add("event_msg", count, at(3));
      if (k % 2 === 1) add("event_msg", count, at(4));
    }
    const name = `rollout-2026-10-01T00-00-00-${id(n)}.jsonl`;
    write(path.join(home, ".codex/sessions/2026/10/01", name), rows);
  }
  return known;
}
