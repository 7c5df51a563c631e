// What a process pays for its first verdict. V8's optimiser works beside the thread, and a process cannot end
// before it is done: one large function at the start once cost every command 71 ms.

import assert from "node:assert/strict";
import { test } from "node:test";

import { makeApp, run, writeFiles } from "./app.mjs";

const LARGEST_BODY = 8 * 1024;
const MOST_OPTIMISED = 8 * 1024;

const app = await makeApp();

/** What V8 compiled for a program: each function of the module, its size, and whether it was optimised. */
async function compiledFor(program) {
  writeFiles(app, { "program.cjs": program });
  const flags = ["--trace-wasm-compilation-times"];
  const printed = await run("node", [...flags, "program.cjs"], { cwd: app });
  const lines = printed.split("\n").filter((line) => line.includes("bodysize"));
  return lines.map((line) => ({
    name: /#\d+/.exec(line)[0],
    bytes: Number(/bodysize (\d+)/.exec(line)[1]),
    isOptimised: line.includes("TurboFan"),
  }));
}

/** A program that makes a detector, tells it of calls with their results, and restores it. */
function program(entry, calls) {
  return `const { LoopDetector } = require("${entry}");
let detector = new LoopDetector();
detector.startPrompt("prompt");
for (let id = 0; id < ${calls}; id++) {
  detector.observe({ type: "tool_call", id: String(id), name: "read_file", args: { path: "f" + id } });
  detector.observe({ type: "tool_result", id: String(id), output: "text of " + id });
}
detector = LoopDetector.restore(detector.snapshot());
detector.observe({ type: "text", text: "Done." });`;
}

for (const entry of ["turnkeeper", "turnkeeper/loop-detector"]) {
  test(`${entry}: no function of more than 8 KB runs at the start`, async () => {
    const compiled = await compiledFor(program(entry, 1));
    assert.ok(compiled.length > 100, `${compiled.length} functions`);
    assert.deepEqual(
      compiled.filter(({ bytes }) => bytes > LARGEST_BODY),
      [],
    );
  });

  test(`${entry}: hardly anything is optimised before the first verdict`, async () => {
    const compiled = await compiledFor(program(entry, 1));
    const optimised = compiled.filter(({ isOptimised }) => isOptimised);
    const bytes = optimised.reduce((sum, { bytes }) => sum + bytes, 0);
    assert.ok(bytes <= MOST_OPTIMISED, JSON.stringify(optimised));
  });
}
