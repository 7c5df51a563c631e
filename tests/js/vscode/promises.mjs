// What the package promises in VS Code, as tests on one visit.

import assert from "node:assert/strict";
import { before, test } from "node:test";

import { traceData } from "../browser/trace-data.mjs";
import { runTraces } from "../browser/traces.mjs";
import { read } from "../node/assembler-host.mjs";
import { turnkeeper } from "../node/installed-package.mjs";
import { visit } from "./visit.mjs";

const TRACE = {
  actions: ["ok", "ok", "ok", "stop"],
  type: "same_tool_different_arguments",
};

/** Declares the tests for the "node" or the "web" extension host. */
export function promisesIn(host) {
  let seen;
  before(async () => {
    seen = await visit(host);
  });

  /** What the tests inside VS Code have noted under `name`. */
  function inside(name) {
    const noted = seen.inside[name];
    if (noted && "value" in noted) return noted.value;
    throw new Error(`${noted?.error ?? `"${name}" was not reached`}\n${seen.traces}`);
  }

  test("VS Code starts, and the tests inside it end well", () => {
    assert.equal(seen.failure, undefined, `${seen.failure?.stack}\n${seen.serverSaid}`);
  });

  test("the extension, bundled into one file, is activated", () => {
    assert.equal(inside("activation"), true);
    const { node, globalScope } = inside("host");
    if (host === "node") assert.equal(node, true);
    else assert.deepEqual([node, globalScope], [false, "DedicatedWorkerGlobalScope"]);
  });

  test("four reads of different files by a preview model are ok, ok, ok and stop", () => {
    assert.deepEqual(inside("trace"), TRACE);
  });

  test("a resumed task's message has one block of environment, the fresh one, at its end", () => {
    const { texts, report } = inside("resumed-task");
    assert.deepEqual(texts, [
      "Go on.",
      "<environment_details>\nTime: 17:30\n</environment_details>",
    ]);
    assert.deepEqual([report.messagesChanged, report.blocksRemoved], [1, 1]);
  });

  test("files of the workspace stand behind the prompt that refers to them, as they are today", () => {
    const [first, second] = inside("context");
    const denied = { error: "denied: the path leads outside the allowed folders" };
    assert.deepEqual(read(first.block).files, {
      "notes/思.md:2:3": "two </content_reference>\nthree",
      "notes/b.md": "same",
      "notes/": "b.md\ndot.png\n思.md",
      "no.md": { error: "not found" },
      "../up.md": denied,
    });
    assert.deepEqual(read(second.block).files, {
      "notes/思.md:2:3": "2\n3, and longer than before",
      "notes/b.md": "same",
      "notes/": "b.md\ndot.png\n思.md",
      "no.md": { error: "not found" },
      "../up.md": denied,
      "notes/思.md:1": "1",
    });
    assert.deepEqual(
      first.diagnostics.map(({ code, message }) => `${code}: ${message}`),
      ["unreadable: no.md: not found", `denied: ../up.md: ${denied.error}`],
    );
    // A later prompt does not tell it again.
    assert.deepEqual(second.diagnostics, []);
    const image = { type: "image", alt: "dot", mediaType: "image/png", data: btoa("PNG") };
    assert.deepEqual(first.parts.slice(1), [image, { type: "text", text: first.block }]);
  });

  test("the loop is caught and its stream is stopped before the fourth call runs", () => {
    const { events, report, aborted, filesRead, model } = inside("chat");
    assert.deepEqual(events, ["text", "tool_call", "tool_call", "tool_call", "loop_detected"]);
    assert.equal(report.type, TRACE.type);
    assert.deepEqual(filesRead, ["src/0.ts", "src/1.ts", "src/2.ts"]);
    assert.equal(aborted, true);
    // The text and four calls: nothing was read behind the call that fired.
    assert.deepEqual(model, { events: 5, closed: true });
  });

  test("the user is shown the report's message as a warning", () => {
    const { report } = inside("chat");
    assert.deepEqual(seen.notification, { text: report.message, isWarning: true });
  });

  test("the stop is a warning in the extension's log", () => {
    const { report, log } = inside("chat");
    const lines = log.trim().split("\n");
    assert.equal(lines.length, 1, log);
    assert.match(lines[0], /\[warning\]/);
    assert.ok(lines[0].endsWith(` ${report.message}`), log);
  });

  test("the package writes nothing to the console", () => {
    assert.deepEqual(inside("console"), ["log: the watch hears this"]);
  });

  test("a detector saved in the workspace's state has the same verdict after a reload", () => {
    const { report } = inside("chat");
    assert.deepEqual(inside("restored-verdict"), { action: "stop", report });
  });

  test("after the reload the same prompt is stopped before any call runs", () => {
    const { report } = inside("chat");
    assert.deepEqual(inside("chat-after-reload"), {
      events: ["loop_detected"],
      report,
      aborted: true,
      filesRead: [],
    });
  });

  test("all recorded traces are the same as in Node, to the byte", async () => {
    const [traces, expected] = [inside("traces"), await runTraces(turnkeeper, traceData)];
    assert.deepEqual(traces.problems, []);
    assert.deepEqual(Object.keys(traces), Object.keys(expected));
    for (const name of Object.keys(expected)) assert.deepEqual(traces[name], expected[name], name);
    assert.ok(expected.sessions.length > 2 && expected.conversation.length > 50_000);
  });

  test("a webview whose policy allows 'wasm-unsafe-eval' gives the trace's verdict", () => {
    assert.deepEqual(inside("panel-that-allows-wasm"), { verdicts: TRACE });
  });

  test("a webview whose policy does not is told to add 'wasm-unsafe-eval'", () => {
    const { error } = inside("panel-that-forbids-wasm");
    assert.equal(error?.code, "csp_blocks_wasm");
    assert.equal(error.isTurnkeeperError, true);
    assert.match(error.message, /\badd 'wasm-unsafe-eval'/i);
  });
}
