// A name that is no option is refused wherever options are taken: a misspelt one would do nothing, silently.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, test } from "node:test";

import { load, turnkeeper } from "./installed-package.mjs";

const { AgentSession, GhostBlockAssembler, LoopDetector, pathRelation } = turnkeeper;
const { eventsOf, readSession } = load("turnkeeper/sessions");
const { hasLooped, loopMiddleware } = load("turnkeeper/adapters/ai-sdk");
const { turnkeeperMiddleware } = load("turnkeeper/adapters/langchain");
const { turnkeeperFilter } = load("turnkeeper/adapters/openai-agents");
const { default: pi } = load("turnkeeper/pi");
const { server } = load("turnkeeper/opencode");

const state = mkdtempSync(path.join(tmpdir(), "turnkeeper-options-"));
process.on("exit", () => rmSync(state, { recursive: true, force: true }));
process.env.TURNKEEPER_STATE = state;

const host = { readFile: async () => "" };
const { signal } = new AbortController();
const SESSION = '[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]';

const assembler = new GhostBlockAssembler({ root: "/work" });
const session = new AgentSession({
  assembler: { root: "/work" },
  terminals: { platform: "posix" },
});
session.beginTurn({ prompt: "Go on." });

/** Calls with options, and options that are right. */
const CALLS = {
  startPrompt: [(options) => new LoopDetector().startPrompt("p", options), { model: "m" }],
  assemble: [(options) => assembler.assemble("a", host, options), { signal }],
  expandDocument: [(options) => assembler.expandDocument("a", host, options), { signal }],
  prepareSkill: [(options) => assembler.prepareSkill("a", host, options), { signal }],
  "a session's assemble": [(options) => session.assemble(host, options), { environment: "e" }],
  readSession: [(options) => readSession(SESSION, options), { name: "a.json" }],
  loopMiddleware: [
    (options) => loopMiddleware(new LoopDetector(), options),
    { feedback: false, onLoopDetected() {} },
  ],
  hasLooped: [(options) => hasLooped(new LoopDetector(), options), { onLoopDetected() {} }],
};

/** All that watches an agent in its own process takes the same options. */
const WATCHES = {
  "LangChain's middleware": (options) => turnkeeperMiddleware(options),
  "the filter of OpenAI's agents": (options) => turnkeeperFilter(options),
  "pi's extension": (options) => pi({ on() {} }, options),
  "opencode's plugin": (options) => server({ client: { session: {} } }, options),
};
for (const [name, watch] of Object.entries(WATCHES)) {
  CALLS[name] = [watch, { mode: "watch", dedupe: false, onStop() {} }];
  test(`${name} refuses a mode that does not exist, and values of another type`, async () => {
    const wrong = { mode: ["hard", "", null, 1], dedupe: [null, 0, "no"], onStop: [null, "log"] };
    for (const [option, values] of Object.entries(wrong)) {
      for (const value of values) {
        const refused = { code: "invalid_argument", detail: { field: `options.${option}` } };
        await assert.rejects(async () => watch({ [option]: value }), refused);
      }
    }
  });
}

test("the AI SDK's middleware and its stop condition need a detector", () => {
  for (const make of [loopMiddleware, hasLooped]) {
    for (const detector of [undefined, null, {}, "detector"]) {
      const refused = { code: "invalid_argument", detail: { field: "detector" } };
      assert.throws(() => make(detector), refused);
    }
  }
  const refused = (field) => ({ code: "invalid_argument", detail: { field } });
  const detector = new LoopDetector();
  assert.throws(() => loopMiddleware(detector, { feedback: 1 }), refused("options.feedback"));
  for (const make of [loopMiddleware, hasLooped]) {
    assert.throws(() => make(detector, { onLoopDetected: 1 }), refused("options.onLoopDetected"));
  }
});

for (const [name, [call, right]] of Object.entries(CALLS)) {
  describe(name, () => {
    const result = async (options) => call(options);

    test("takes its options, and one that is undefined for none", async () => {
      await result(right);
      await result({ ...right, nope: undefined });
      await result(undefined);
    });

    test("refuses what is no option, and what are no options", async () => {
      const unknown = { code: "invalid_argument", detail: { field: "options.nope" } };
      await assert.rejects(result({ ...right, nope: 1 }), unknown);
      for (const wrong of [null, 7, "text"]) {
        const none = { code: "invalid_argument", detail: { field: "options" } };
        await assert.rejects(result(wrong), none);
      }
    });
  });
}

test("paths are compared with a selector's options, and no others", () => {
  const options = { platform: "posix", maxTerminals: 3, reachable: "anywhere" };
  assert.equal(pathRelation("/a", "/a/b", options), "parent");
  assert.throws(() => pathRelation("/a", "/a/b", { ...options, caseSensitiv: false }), {
    code: "invalid_config",
    detail: { field: "caseSensitiv" },
  });
});

test("a format that there is not is refused", () => {
  for (const format of ["clien", "", "toString", 7]) {
    assert.throws(() => eventsOf(JSON.parse(SESSION), format), {
      code: "invalid_argument",
      detail: { field: "format" },
    });
  }
  assert.ok(eventsOf(JSON.parse(SESSION), "anthropic").length > 0);
});
