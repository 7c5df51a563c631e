// The command, run as a user runs it.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";

import { command } from "./installed-package.mjs";

const sample = (name) => fileURLToPath(new URL(`../../data/sessions/${name}`, import.meta.url));
export const PREVIEW_LOOP = sample("preview-loop.jsonl");
export const CHANT = sample("chinese-chant.jsonl");
export const HEALTHY = sample("healthy.jsonl");

/** A folder of the test's own. */
export const folder = mkdtempSync(path.join(tmpdir(), "turnkeeper-replay-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a file into the test's folder: text, bytes, or events. */
export function file(name, content) {
  const target = path.join(folder, name);
  const isText = typeof content === "string" || content instanceof Uint8Array;
  writeFileSync(
    target,
    isText ? content : content.map((event) => `${JSON.stringify(event)}\n`).join(""),
  );
  return target;
}

/**
 * V8 makes quick code of a function after ten times the work that it usually waits for. Most runs here are
 * over by then; otherwise the threads that make it would need more time than the command itself.
 */
const PATIENT = "--wasm-tiering-budget=18000000";

/** Runs the command to its end. */
export function run(args, { input, env, cwd } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [PATIENT, command, ...args], {
      cwd,
      env: { PATH: process.env.PATH, ...env },
    });
    const result = { stdout: "", stderr: "", code: undefined };
    child.stdout.setEncoding("utf8").on("data", (data) => (result.stdout += data));
    child.stderr.setEncoding("utf8").on("data", (data) => (result.stderr += data));
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ ...result, code: code ?? signal }));
    child.stdin.on("error", () => {});
    child.stdin.end(input ?? "");
  });
}

/** The options of a command that judges by the rules of the profile `standard`. */
export const STANDARD = ["--profile", "standard"];

/** Runs `turnkeeper replay`. */
export const replay = (args, options) => run(["replay", ...args], options);
/** Runs it with the profile of gemini-cli's first rules, which the samples were written for. */
export const replayStandard = (args, options) =>
  replay(["--profile", "standard", ...args], options);
/** What `turnkeeper replay --json` says with that profile, a value a line. */
export const json = async (args, options) =>
  (await replayStandard(["--json", ...args], options)).stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

/** The same call of a reading tool with four different arguments: a loop with a preview model. */
export const fourCalls = [1, 2, 3, 4].map((n) => readCall({ n }));

export function readCall(args) {
  return { type: "tool_call", name: "read_file", args };
}
