// A program that forbids compiling WebAssembly: V8 says so in words of its own.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { test } from "node:test";
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
    const module = { exports: {}, require: createRequire(file) };
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
