// A name that is no option is refused wherever options are taken: a misspelt one would do nothing, silently.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { load, turnkeeper } from "./installed-package.mjs";

const { AgentSession, GhostBlockAssembler, LoopDetector, canChangeDirectory, pathRelation } =
  turnkeeper;
const { eventsOf, readSession } = load("turnkeeper/sessions");

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
};

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
  for (const compare of [pathRelation, canChangeDirectory]) {
    assert.ok(compare("/a", "/a/b", options));
    assert.throws(() => compare("/a", "/a/b", { ...options, caseSensitiv: false }), {
      code: "invalid_config",
      detail: { field: "caseSensitiv" },
    });
  }
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
