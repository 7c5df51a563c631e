// How much of a request a provider has seen before, as the assembler tells it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { turnkeeper } from "./installed-package.mjs";

const { GhostBlockAssembler, TurnkeeperError } = turnkeeper;

const user = (content) => ({ role: "user", content });

test("leading messages count as long as they are the same JSON", () => {
  const assembler = new GhostBlockAssembler({ root: "/work" });
  const same = (...messages) => assembler.samePrefix(messages);
  assert.equal(same(user("a"), user("b")), 0);
  assert.equal(same(user("a"), user("b"), user("思考")), 2);
  assert.equal(same({ role: "user", content: "a" }, user("b"), user("思考!")), 2);
  assert.equal(same(user("a"), { content: "b", role: "user" }), 1);
  assert.equal(same(), 0);
  assert.equal(same(user("a")), 0);
});

test("delta placement keeps all of a conversation, latest placement loses the newest user message", async () => {
  const host = { readFile: async ({ path }) => `content of ${path}` };
  const kept = {};
  for (const placement of ["latest", "delta"]) {
    const assembler = new GhostBlockAssembler({ root: "/work", placement });
    let messages = [];
    kept[placement] = [];
    for (const prompt of ["@[a.md]", "@[b.md]", "@[c.md]"]) {
      const { text } = await assembler.assemble(prompt, host);
      if (placement === "latest") messages = turnkeeper.stripGhostBlocks(messages);
      messages = [...messages, user(text)];
      kept[placement].push(assembler.samePrefix(messages));
      messages.push({ role: "assistant", content: `about ${prompt}` });
    }
  }
  assert.deepEqual(kept, { latest: [0, 0, 2], delta: [0, 1, 3] });
});

test("what are no messages is told by its place", () => {
  const assembler = new GhostBlockAssembler({ root: "/work" });
  const circle = {};
  circle.circle = circle;
  for (const [messages, field] of [
    ["text", "messages"],
    [[user("a"), null], "messages[1]"],
    [[circle], "messages[0]"],
  ]) {
    assert.throws(
      () => assembler.samePrefix(messages),
      (error) =>
        error instanceof TurnkeeperError &&
        error.code === "invalid_argument" &&
        error.detail.field === field,
    );
  }
});
