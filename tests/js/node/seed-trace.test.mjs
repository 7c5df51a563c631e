// The bug that the loop detector grew from: an agent's core found the loop, but its extension had
// no case for the event, so the stream went on and the user never knew.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { turnkeeper } from "./installed-package.mjs";
import { collect, settle, source, watched } from "./streams.mjs";

const { LoopDetector } = turnkeeper;

const PREVIEW = "gemini-3-pro-preview";
const STANDARD = "gemini-2.0-flash";

const readFile = (path) => ({ type: "tool_call", name: "read_file", args: { path } });
const fourFiles = ["a.ts", "b.ts", "c.ts", "d.ts"].map(readFile);
const call = (name, index) => ({ type: "tool_call", name, args: { index } });

function detectorFor(model) {
  const detector = new LoopDetector({ profile: "standard" });
  detector.startPrompt("msg-123", { model });
  return detector;
}

/** Which event stops the detector, counting from 1; undefined if none does. */
function stopsAt(detector, events) {
  const at = events.findIndex((event) => detector.observe(event).action === "stop");
  return at < 0 ? undefined : at + 1;
}

describe("four read_file calls with different paths", () => {
  test("give ok, ok, ok, stop with a preview model", () => {
    const detector = detectorFor(PREVIEW);
    const verdicts = fourFiles.map((event) => detector.observe(event));
    assert.deepEqual(
      verdicts.map(({ action }) => action),
      ["ok", "ok", "ok", "stop"],
    );
    const { report } = verdicts[3];
    assert.equal(report.type, "same_tool_different_arguments");
    assert.equal(report.tool, "read_file");
    assert.deepEqual([report.count, report.threshold, report.strike], [4, 4, 1]);
    assert.deepEqual([report.firstIndex, report.lastIndex], [0, 3]);
    assert.match(report.callKey, /^[0-9a-f]{64}$/);
  });

  test("give four times ok with any other model", () => {
    for (const model of [STANDARD, "gemini-1.5-pro", "claude-3-opus"]) {
      assert.equal(stopsAt(detectorFor(model), fourFiles), undefined);
    }
  });

  test("stop nobody by default: reading four files is normal work", () => {
    const detector = new LoopDetector();
    detector.startPrompt("msg-123", { model: PREVIEW });
    for (const event of fourFiles) {
      assert.equal(detector.observe(event).action, "ok");
      const result = { type: "tool_result", output: `export const path = "${event.args.path}";` };
      assert.equal(detector.observe(result).action, "ok");
    }
    const named = new LoopDetector({ profile: "adaptive" });
    named.startPrompt("msg-123", { model: PREVIEW });
    for (const event of fourFiles) named.observe(event);
    const unnamed = new LoopDetector();
    unnamed.startPrompt("msg-123", { model: PREVIEW });
    for (const event of fourFiles) unnamed.observe(event);
    assert.deepEqual(unnamed.snapshot(), named.snapshot());
  });

  test("show the host nothing after the stop", async () => {
    const events = source([...fourFiles, readFile("e.ts"), { type: "text", text: "Done." }]);
    const detector = new LoopDetector({ profile: "standard" });
    detector.startPrompt("msg-123", { model: PREVIEW });
    assert.deepEqual(await collect(watched(events, detector)), fourFiles.slice(0, 3));
    assert.equal(detector.stopped, true);
    assert.equal(events.log.reads, 4);
  });
});

describe("what the extension got wrong", () => {
  test("the host is told of the loop by a function that it cannot forget", async () => {
    const guarded = watched(source(fourFiles), detectorFor(PREVIEW));
    for await (const event of guarded) assert.equal(event.type, "tool_call");
    assert.deepEqual(
      guarded.told.map(({ verdict }) => verdict.action),
      ["stop"],
    );
    assert.throws(() => turnkeeper.guardStream(source(fourFiles), detectorFor(PREVIEW), {}), {
      detail: { field: "options.onLoopDetected" },
    });
  });

  test("there is a text to show the user, and one to tell the model", async () => {
    const guarded = watched(source(fourFiles), detectorFor(PREVIEW));
    await collect(guarded);
    const shown = guarded.told;
    assert.equal(shown.length, 1);
    const { message, feedback } = shown[0].verdict.report;
    assert.match(message, /read_file/);
    assert.match(feedback, /read_file/);
    assert.match(feedback, /\b4\b/);
    assert.ok(message.length <= 500 && feedback.length <= 2_000);
  });

  test("the stream stops at once: the model's request is aborted and nothing more is read", async () => {
    const abort = new AbortController();
    const events = source([...fourFiles, readFile("e.ts")]);
    await collect(watched(events, detectorFor(PREVIEW), { abort }));
    await settle();
    assert.equal(abort.signal.aborted, true);
    assert.deepEqual(events.log, { opened: 1, reads: 4, returns: 1 });
  });

  test("the session's state is saved: restored in the middle or at the end, it judges the same", () => {
    for (let cut = 0; cut <= fourFiles.length; cut += 1) {
      const detector = detectorFor(PREVIEW);
      for (const event of fourFiles.slice(0, cut)) detector.observe(event);
      const restored = LoopDetector.restore(detector.snapshot());
      const events = [...fourFiles.slice(cut), { type: "text", text: "Done." }];
      for (const event of events) {
        assert.deepEqual(restored.observe(event), detector.observe(event));
      }
      assert.equal(restored.verdict.action, "stop");
      assert.deepEqual(restored.snapshot(), detector.snapshot());
    }
  });

  test("the warning goes to the host's log, and the package prints nothing", async (t) => {
    const methods = ["log", "info", "warn", "error", "debug", "trace"];
    const spies = methods.map((method) => t.mock.method(console, method, () => {}));
    const guarded = watched(source([...fourFiles]), detectorFor(PREVIEW));
    await collect(guarded);
    const log = guarded.told.map(({ verdict }) => verdict.report.message);
    assert.equal(log.length, 1);
    for (const spy of spies) assert.equal(spy.mock.calls.length, 0);
  });

  test("a preview model's limits are 5, and 4 for tools that read", () => {
    const six = (name) => Array.from({ length: 6 }, (_, index) => call(name, index));
    for (const name of ["read_file", "read_many_files", "glob", "search_file_content", "ls"]) {
      assert.equal(stopsAt(detectorFor(PREVIEW), six(name)), 4, name);
    }
    for (const name of ["run_command", "write_file", "web_fetch"]) {
      assert.equal(stopsAt(detectorFor(PREVIEW), six(name)), 5, name);
    }
  });

  test("any other model's limit is 10 identical calls in a row", () => {
    const identical = Array.from({ length: 12 }, () => readFile("a.ts"));
    assert.equal(stopsAt(detectorFor(STANDARD), identical), 10);
    const different = Array.from({ length: 40 }, (_, index) => call("read_file", index));
    assert.equal(stopsAt(detectorFor(STANDARD), different), undefined);
  });

  test("all other events come through as they were", async () => {
    const events = [
      { type: "turn_started" },
      { type: "text", text: "I will read the file." },
      { type: "reasoning", text: "Which one?" },
      ...fourFiles,
      { type: "tool_result", output: "export {};", exitCode: 0 },
      { type: "token_usage", input: 12, output: 3 },
      { type: "finished" },
    ];
    const adapter = (event) => (event.type === "token_usage" ? undefined : event);
    const out = await collect(watched(source(events), detectorFor(STANDARD), { adapter }));
    assert.equal(out.length, events.length);
    out.forEach((event, index) => assert.equal(event, events[index]));
  });
});
