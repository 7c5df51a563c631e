// Values of another realm, such as a test runner's or a frame's, whose classes are not those of the package.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import vm from "node:vm";

import { load, turnkeeper } from "./installed-package.mjs";

const { GhostBlockAssembler, LoopDetector, dedupeHistory } = turnkeeper;
const { detectFormat, readSession } = load("turnkeeper/sessions");

const realm = vm.createContext({});
const there = (code, values = {}) => {
  Object.assign(realm, values);
  return vm.runInContext(`(${code})`, realm);
};
const bytesThere = (bytes) => there("new Uint8Array(list)", { list: [...bytes] });

const SESSION = JSON.stringify([
  { role: "user", content: "Fix it." },
  { role: "assistant", content: [{ type: "tool_use", id: "1", name: "ls", input: {} }] },
]);

describe("of another realm may be", () => {
  test("the bytes of a saved session", async () => {
    const bytes = bytesThere(new TextEncoder().encode(SESSION));
    assert.ok(!(bytes instanceof Uint8Array));
    async function* stream() {
      yield bytes;
    }
    const { events } = await readSession(SESSION);
    assert.deepEqual((await readSession(bytes)).events, events);
    assert.deepEqual((await readSession(stream())).events, events);
    assert.equal(detectFormat(bytes), "anthropic");
  });

  test("the bytes of a snapshot", () => {
    const detector = new LoopDetector();
    detector.startPrompt("p");
    assert.equal(LoopDetector.restore(bytesThere(detector.snapshot())).prompt.id, "p");
  });

  test("a pattern", () => {
    const detector = new LoopDetector({ previewModel: there("/flash/i") });
    detector.startPrompt("p", { model: "a FLASH model" });
    assert.equal(detector.prompt.isPreview, true);
    const forged = { source: "x", flags: "", [Symbol.toStringTag]: "RegExp" };
    assert.doesNotThrow(() => new LoopDetector({ previewModel: forged }));
    const empty = { [Symbol.toStringTag]: "RegExp" };
    assert.throws(() => new LoopDetector({ previewModel: empty }), { code: "invalid_config" });
  });

  test("an error of the host's", async () => {
    const error = async (readFile) => {
      const assembler = new GhostBlockAssembler({ root: "/work" });
      const { items } = await assembler.assemble("@[a.ts]", { readFile });
      return items[0].error;
    };
    assert.equal(await error(there("async () => { throw new Error('locked'); }")), "locked");
    assert.equal(await error(() => Promise.reject({ message: "locked" })), "locked");
    assert.equal(await error(() => Promise.reject("locked")), "locked");
  });

  test("options, events and messages", () => {
    const detector = new LoopDetector(there("{ profile: 'standard', identicalCalls: 2 }"));
    const events = there("[1, 2].map(() => ({ type: 'tool_call', name: 'ls', args: { a: [1] } }))");
    assert.equal(detector.observeAll(events).action, "stop");
    const env = (n) => `<environment_details>${n}</environment_details>`;
    const content = [env(1), env(2)].map((text) => ({ type: "text", text }));
    const history = there("JSON.parse(json)", {
      json: JSON.stringify([{ role: "user", content }]),
    });
    assert.equal(dedupeHistory(history).report.blocksRemoved, 1);
  });
});
