import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { inflateRawSync } from "node:zlib";

import { makeApp, nodes, packedModule, run, writeFiles } from "./app.mjs";

const app = await makeApp();
const dist = path.join(app, "node_modules/turnkeeper/dist");
const wasm = readFileSync(path.join(dist, "turnkeeper.wasm"));

/** The bytes of the module that an entry carries. */
function unpacked(entry) {
  return inflateRawSync(Buffer.from(packedModule(app, `${entry}.mjs`), "base64"));
}

/** The names that a module exports, without those of the loop detector. */
function withoutDetector(bytes) {
  const names = WebAssembly.Module.exports(new WebAssembly.Module(bytes)).map(({ name }) => name);
  return names.filter((name) => !/^(__wbg_)?rawloopdetector_/.test(name)).sort();
}

test("the default entry's own module has all machines of the package's file but the loop detector", () => {
  const names = withoutDetector(unpacked("index"));
  assert.deepEqual(names, withoutDetector(wasm));
  assert.equal(
    names.length,
    WebAssembly.Module.exports(new WebAssembly.Module(unpacked("index"))).length,
  );
});

const CARRIERS = [
  "ghost-block",
  "history-deduper",
  "index",
  "loop-detector",
  "modules/watch",
  "peers",
  "sessions",
  "summary-injector",
  "terminal-selector",
];

test("the package has one copy of each module, and an entry's is smaller than that of all machines", () => {
  const files = readdirSync(dist, { recursive: true }).filter((file) => /\.[cm]?js$/.test(file));
  assert.ok(files.length <= 40, files.join());
  const carriers = files.filter((file) => packedModule(app, file));
  const expected = CARRIERS.map((name) => `${name}.mjs`);
  assert.deepEqual(carriers.map((file) => file.split(path.sep).join("/")).sort(), expected.sort());
  for (const name of CARRIERS) {
    const bytes = unpacked(name);
    assert.ok(WebAssembly.validate(bytes), name);
    assert.ok(bytes.length < wasm.length, name);
  }
});

for (const [major, node] of nodes) {
  test(`Node ${major} finds the module of an entry, and says nothing about it`, async () => {
    const use = (entry) => `const { LoopDetector } = require("${entry}");
console.log(new LoopDetector().verdict.action);`;
    writeFiles(app, { "all.cjs": use("turnkeeper"), "one.cjs": use("turnkeeper/loop-detector") });
    for (const file of ["all.cjs", "one.cjs"]) {
      // A warning would be among what is printed.
      const script = `exec "${node}" ${file} 2>&1`;
      assert.equal(await run("sh", ["-c", script], { cwd: app }), "ok\n");
    }
  });
}

test("a panic's place is told by the names that its files have on every machine", () => {
  const text = wasm.toString("latin1");
  assert.match(text, /src\/loop-detector\/[a-z_/]+\.rs/);
  const checkout = fileURLToPath(new URL("../../..", import.meta.url));
  for (const folder of [homedir(), checkout, "/.cargo/", "/.rustup/", "index.crates.io"]) {
    assert.ok(!text.includes(folder), `turnkeeper.wasm has ${folder} in it`);
  }
});
