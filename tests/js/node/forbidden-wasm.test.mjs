// A program that forbids compiling WebAssembly: V8 says so in words of its own.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import vm from "node:vm";

import { build } from "esbuild";

import { app } from "./installed-package.mjs";

/** A module and its own files, run where compiling is forbidden. */
async function importForbidden(file) {
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    platform: "neutral",
    format: "cjs",
    write: false,
  });
  const context = vm.createContext(
    { Buffer, TextDecoder, TextEncoder, atob },
    { codeGeneration: { wasm: false } },
  );
  const module = { exports: {} };
  vm.runInContext(`(function (module) {${outputFiles[0].text}\n})`, context)(module);
  return module.exports;
}

test("is told of as csp_blocks_wasm, with a way out", async () => {
  const file = createRequire(path.join(app, "app.cjs")).resolve("turnkeeper");
  const { LoopDetector, preload } = await importForbidden(file);
  for (const use of [preload, async () => new LoopDetector()]) {
    await assert.rejects(use, (error) => {
      assert.equal(error.code, "csp_blocks_wasm");
      assert.match(String(error.cause), /Wasm code generation disallowed by embedder/);
      assert.match(error.message, /initSync\(\) of turnkeeper\/slim/);
      return true;
    });
  }
});

test("a runtime that forbids Node's functions, even to look at them, has what else there is", async () => {
  const require = createRequire(path.join(app, "app.cjs"));
  const folder = path.dirname(require.resolve("turnkeeper/package.json"));
  const get = 'get() { throw new Error("A Node.js API is used"); }, configurable: true';
  const forbidden = [
    `Object.defineProperty(process, "getBuiltinModule", { ${get} });`,
    `Object.defineProperties(globalThis, { Buffer: { ${get} }, process: { ${get} } });`,
  ];
  for (const entry of ["index", "loop-detector", "peers"]) {
    const file = pathToFileURL(path.join(folder, "dist", `${entry}.mjs`));
    const options = entry === "peers" ? '{ profile: "roo" }' : "";
    const use = `
const { LoopDetector } = await import(${JSON.stringify(file.href)});
const detector = new LoopDetector(${options});
const output = "Größe ".repeat(3_000);
const answer = detector.observeAll(["1", "2", "3", "4", "5"].flatMap((id) => [
  { type: "tool_call", id, name: "ls", args: { path: output } },
  { type: "tool_result", id, output },
]));
if (answer.action !== "stop") throw new Error(answer.action);`;
    for (const forbid of forbidden) {
      const script = ["--input-type=module", "-e", forbid + use];
      execFileSync(process.execPath, script, { stdio: "pipe" });
    }
  }
});
