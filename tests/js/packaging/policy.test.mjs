import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";

import { build } from "esbuild";

import { makeApp } from "./app.mjs";
import { outcomeOf } from "./page.mjs";
import { EXPECTED, TRACE } from "./trace.mjs";

// As a webview has it: one bundled script with a nonce, and a policy that allows nothing else.
const app = await makeApp({
  "index.html": `<!doctype html><title>app</title><script nonce="n" src="bundle.js"></script>`,
  "main.js": `import { LoopDetector } from "turnkeeper";
${TRACE}
try {
  window.outcome = verdicts(LoopDetector);
} catch (error) {
  window.outcome = { code: error.code, message: error.message };
}`,
});
await build({
  entryPoints: [path.join(app, "main.js")],
  outfile: path.join(app, "bundle.js"),
  bundle: true,
  format: "iife",
  logLevel: "silent",
});

const under = (script) =>
  outcomeOf(app, {
    headers: { "content-security-policy": `default-src 'none'; script-src ${script}` },
  });

test("a page whose policy allows 'wasm-unsafe-eval' gives the trace's verdict", async () => {
  assert.deepEqual(await under("'nonce-n' 'wasm-unsafe-eval'"), EXPECTED);
});

test("a page whose policy forbids WebAssembly is told what to allow", async () => {
  const { code, message } = await under("'nonce-n'");
  assert.equal(code, "csp_blocks_wasm");
  assert.match(message, /wasm-unsafe-eval/);
});
