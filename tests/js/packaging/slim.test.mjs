import assert from "node:assert/strict";
import { test } from "node:test";

import { makeApp, run, writeFiles } from "./app.mjs";
import { EXPECTED, TRACE } from "./trace.mjs";

const app = await makeApp();

const BYTES = `readFileSync(require.resolve("turnkeeper/turnkeeper.wasm"))`;
const RESPONSE = `new Response(${BYTES}, { headers: { "content-type": "application/wasm" } })`;

/** What an app prints that runs `load` and then the trace. */
async function outcome(load) {
  writeFiles(app, {
    "app.mjs": `import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { init, initSync, LoopDetector, TurnkeeperError } from "turnkeeper/slim";
const require = createRequire(import.meta.url);
${TRACE}
try {
  ${load};
  console.log(JSON.stringify(verdicts(LoopDetector)));
} catch (error) {
  if (!(error instanceof TurnkeeperError)) throw error;
  console.log(JSON.stringify({ code: error.code }));
}`,
  });
  return JSON.parse(await run("node", ["app.mjs"], { cwd: app }));
}

for (const [what, load] of [
  ["bytes", `await init(${BYTES})`],
  ["an ArrayBuffer", `await init(Uint8Array.from(${BYTES}).buffer)`],
  ["a module", `await init(new WebAssembly.Module(${BYTES}))`],
  ["a response", `await init(${RESPONSE})`],
  ["a promise of a response", `await init(Promise.resolve(${RESPONSE}))`],
  ["bytes, synchronously", `initSync(${BYTES})`],
  ["a module, synchronously", `initSync(new WebAssembly.Module(${BYTES}))`],
]) {
  test(`slim starts from ${what}`, async () => {
    assert.deepEqual(await outcome(load), EXPECTED);
  });
}

test("slim says so when it is used before it was initialised", async () => {
  assert.deepEqual(await outcome(""), { code: "not_initialized" });
});

test("slim refuses another program's module, and starts from its own after that", async () => {
  const other = "new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0))";
  const refused = `assert.equal(error.code, "not_initialized")`;
  const load = `
  const { default: assert } = await import("node:assert/strict");
  await init(${other}).catch((error) => ${refused});
  try { initSync(${other}); } catch (error) { ${refused}; }
  await Promise.all([init(${RESPONSE}), init(${BYTES})])`;
  assert.deepEqual(await outcome(load), EXPECTED);
});
