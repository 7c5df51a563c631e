import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { makeApp, run, writeFiles } from "./app.mjs";

const app = await makeApp();

// Everything that an import could reach for, replaced by something that tells.
const WATCH = `
const touched = [];
const watch = (object, name, label) => {
  const original = object[name];
  object[name] = new Proxy(original, {
    apply: (...call) => (touched.push(label), Reflect.apply(...call)),
    construct: (...call) => (touched.push(label), Reflect.construct(...call)),
  });
};
for (const name of ["Module", "Instance", "compile", "instantiate", "validate"]) {
  watch(WebAssembly, name, "WebAssembly." + name);
}
for (const name of ["fetch", "atob", "setTimeout", "setInterval", "queueMicrotask"]) {
  watch(globalThis, name, name);
}
const globals = new Set(Reflect.ownKeys(globalThis));
const report = () => ({
  touched,
  globals: Reflect.ownKeys(globalThis).filter((key) => !globals.has(key)).map(String),
});
`;

test("importing the default entry compiles nothing and leaves no trace", async () => {
  writeFiles(app, {
    "quiet.cjs": `${WATCH}
require("turnkeeper");
console.log(JSON.stringify(report()));`,
  });
  const report = JSON.parse(await run("node", ["quiet.cjs"], { cwd: app }));
  assert.deepEqual(report, { touched: [], globals: [] });
});

test("the first call of a machine compiles the module that it is in, and no other", async () => {
  writeFiles(app, {
    "machines.cjs": `${WATCH}
const { LoopDetector, SummaryInjector, TerminalSelector } = require("turnkeeper");
const modules = () => touched.filter((name) => name === "WebAssembly.Module").length;
new LoopDetector();
const detector = modules();
new SummaryInjector();
new TerminalSelector({ platform: "posix" });
console.log(JSON.stringify([detector, modules()]));`,
  });
  assert.equal((await run("node", ["machines.cjs"], { cwd: app })).trim(), "[1,2]");
});

test("preload compiles off the thread, and the first call does without it", async () => {
  const touchedBy = (...calls) => `${WATCH}
const { LoopDetector, preload } = require("turnkeeper");
(async () => {
  ${calls.join("\n")}
  console.log(JSON.stringify(report().touched));
})();`;
  const call = "new LoopDetector().observe({ type: 'other' });";
  writeFiles(app, {
    "preload.cjs": touchedBy("await preload();"),
    "call.cjs": touchedBy(call),
    "all.cjs": touchedBy("await preload();", "await preload();", call, call),
  });
  const [preloaded, called, all] = await Promise.all(
    ["preload.cjs", "call.cjs", "all.cjs"].map((file) => run("node", [file], { cwd: app })),
  );
  assert.ok(JSON.parse(preloaded).includes("WebAssembly.compile"), preloaded);
  assert.ok(!JSON.parse(called).includes("WebAssembly.compile"), called);
  for (const touched of [preloaded, called, all]) {
    assert.equal(JSON.parse(touched).at(-1), "WebAssembly.Instance");
  }
  assert.equal(all, preloaded);
});

for (const file of ["index.mjs", "core.mjs", "loop-detector.mjs", "sessions.mjs"]) {
  test(`${file} reaches for no file, no network and no import.meta`, () => {
    const code = readFileSync(path.join(app, "node_modules/turnkeeper/dist", file), "utf8");
    assert.doesNotMatch(code, /\bimport\.meta\b/);
    assert.doesNotMatch(code, /(?<![.\w])fetch\(/);
    assert.doesNotMatch(code, /XMLHttpRequest|WebSocket|importScripts/);
    // Only files of the package itself, which lie beside it.
    const requests = [...code.matchAll(/(?:\brequire\(|\bfrom )"([^"]+)"/g)].map(
      ([, name]) => name,
    );
    assert.deepEqual(
      requests.filter((name) => !name.startsWith("./")),
      [],
    );
  });
}
