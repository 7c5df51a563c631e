// A program that forbids compiling WebAssembly: V8 says so in words of its own.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import path from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import vm from "node:vm";

import { app } from "./installed-package.mjs";

/** A CommonJS module and its own files, run where compiling is forbidden. */
function requireForbidden(file) {
  const context = vm.createContext(
    { Buffer, TextDecoder, TextEncoder, atob },
    { codeGeneration: { wasm: false } },
  );
  const loaded = new Map();
  const run = (file) => {
    const before = loaded.get(file);
    if (before !== undefined) return before.exports;
    const module = { exports: {}, constructor: Module };
    loaded.set(file, module);
    const require = (name) =>
      name.endsWith(".cjs") ? run(path.join(path.dirname(file), name)) : createRequire(file)(name);
    const wrapped = `(function (module, exports, require, __dirname) {${readFileSync(file, "utf8")}\n})`;
    vm.runInContext(wrapped, context, { filename: file })(
      module,
      module.exports,
      require,
      path.dirname(file),
    );
    return module.exports;
  };
  return run(file);
}

test("is told of as csp_blocks_wasm, with a way out", async () => {
  const file = createRequire(path.join(app, "app.cjs")).resolve("turnkeeper");
  const { LoopDetector, preload } = requireForbidden(file);
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
    const file = pathToFileURL(path.join(folder, "dist", `${entry}.browser.mjs`));
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
