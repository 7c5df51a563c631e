// Objects that a host keeps in Vue's state, which makes proxies of what it is given: a webview's usual way.

import assert from "node:assert/strict";
import { inspect } from "node:util";
import { describe, test } from "node:test";

import { reactive, ref } from "@vue/reactivity";

import { turnkeeper } from "./installed-package.mjs";

const MADE = {
  LoopDetector: () => new turnkeeper.LoopDetector(),
  GhostBlockAssembler: () => new turnkeeper.GhostBlockAssembler({ root: "/work" }),
  HistoryDeduper: () => new turnkeeper.HistoryDeduper(),
  TerminalSelector: () => new turnkeeper.TerminalSelector({ platform: "posix" }),
  SummaryInjector: () => new turnkeeper.SummaryInjector(),
  AgentSession: () =>
    new turnkeeper.AgentSession({ assembler: { root: "/work" }, terminals: { platform: "posix" } }),
  TurnStack: () => new turnkeeper.TurnStack(),
};

describe("in Vue's state", () => {
  for (const [name, make] of Object.entries(MADE)) {
    test(`${name} stays what it is`, () => {
      const object = make();
      assert.equal(reactive({ object }).object, object);
      assert.equal(ref(object).value, object);
    });
  }

  test("a detector that lies deep in it works", () => {
    const state = reactive({ tasks: [{ detector: new turnkeeper.LoopDetector() }] });
    const { detector } = state.tasks[0];
    detector.startPrompt("p");
    assert.equal(detector.observe({ type: "tool_call", name: "ls", args: {} }).action, "ok");
    assert.equal(state.tasks[0].detector.prompt.id, "p");
  });
});

test("a machine is printed under its own name alone", () => {
  assert.match(inspect(new turnkeeper.LoopDetector()), /^LoopDetector \{/);
});
