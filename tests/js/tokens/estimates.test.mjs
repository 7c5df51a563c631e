// The command estimates tokens without a tokenizer; here it is measured by one.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

import { encode } from "gpt-tokenizer/encoding/o200k_base";

import { command } from "../node/installed-package.mjs";

/** Shorter sessions may be further off. */
const LEAST = 300;
/** The most that one session is off, Chinese text the most, and many together. */
const ALLOWED = 0.5;
const ALLOWED_TOGETHER = 0.15;

const folder = mkdtempSync(path.join(tmpdir(), "turnkeeper-tokens-"));
after(() => rmSync(folder, { recursive: true, force: true }));

function audit(args) {
  const options = ["--json", "--profile", "standard", ...args];
  const output = execFileSync(process.execPath, [command, "audit", ...options], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    stdio: ["ignore", "pipe", "ignore"],
  });
  return JSON.parse(output).sessions;
}

const tokensOf = (text) => encode(text, { disallowedSpecial: new Set() }).length;

function partText({ text, name, input, content }) {
  if (name !== undefined) return `${name} ${JSON.stringify(input)}`;
  const result = Array.isArray(content) ? content.map(partText).join("\n") : content;
  return text ?? result ?? "";
}

/** The texts of a session that is an array of messages or one event a line. */
function texts(file) {
  const content = readFileSync(file, "utf8");
  if (file.endsWith(".json")) {
    return JSON.parse(content).flatMap((message) =>
      typeof message.content === "string" ? [message.content] : message.content.map(partText),
    );
  }
  const all = [];
  for (const line of content.split("\n").filter((line) => line !== "")) {
    const { type, text, output, name, args } = JSON.parse(line);
    const shown = typeof args === "string" ? args : (JSON.stringify(args) ?? "");
    // A tokenizer sees the whole text, not the parts in which it streamed.
    if (type === "text" && all.at(-1)?.type === "text") all.at(-1).text += text;
    else
      all.push({ type, text: type === "tool_call" ? `${name} ${shown}` : (text ?? output ?? "") });
  }
  return all.map(({ text }) => text);
}

function measure(sessions) {
  let estimated = 0;
  let real = 0;
  let measured = 0;
  const wrong = [];
  for (const { file, tokens } of sessions) {
    const count = texts(file).reduce((sum, text) => sum + tokensOf(text), 0);
    if (count < LEAST) continue;
    measured += 1;
    estimated += tokens.total;
    real += count;
    const off = tokens.total / count - 1;
    if (Math.abs(off) > ALLOWED) wrong.push(`${path.basename(file)}: ${tokens.total} for ${count}`);
  }
  assert.deepEqual(wrong, []);
  assert.ok(measured > 0);
  if (measured < 3) return;
  const off = Math.abs(estimated / real - 1);
  assert.ok(off < ALLOWED_TOGETHER, `${estimated} for ${real} in all`);
}

const fixtures = (name) => fileURLToPath(new URL(`../../data/${name}`, import.meta.url));

test("of sessions of our own", () => {
  measure(audit([fixtures("sessions"), fixtures("histories")]));
});

test("of prose and code in several languages", () => {
  const documents = [
    "README.md",
    "README.zh-CN.md",
    "docs/history-deduper.md",
    "src/terminal-selector/selector.rs",
    "js/src/boundary/machine.ts",
  ];
  const files = documents.map((name) => {
    const text = readFileSync(fileURLToPath(new URL(`../../../${name}`, import.meta.url)), "utf8");
    const file = path.join(folder, `${name.replaceAll("/", "-")}.jsonl`);
    writeFileSync(file, `${JSON.stringify({ type: "tool_result", output: text })}\n`);
    return file;
  });
  measure(audit(files));
});

// TURNKEEPER_RECORDINGS names a folder of labelled sessions that is not part of the project; beside
// it, `histories/` has saved conversations of Cline.
const recordings = process.env.TURNKEEPER_RECORDINGS;
const skip = !existsSync(recordings ?? "") && "they are not here";
test("of recorded sessions", { skip }, () => {
  const histories = path.join(recordings, "..", "histories");
  const files = [recordings, histories].filter(existsSync);
  assert.ok(files.every((name) => readdirSync(name).length > 0));
  measure(audit(files));
});
