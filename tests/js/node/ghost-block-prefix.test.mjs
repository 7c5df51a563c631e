// The part of a request that a provider has seen before: the leading messages that are the same JSON.

import assert from "node:assert/strict";
import { test } from "node:test";

import { turnkeeper } from "./installed-package.mjs";

const { GhostBlockAssembler } = turnkeeper;

/** The number of leading messages that both requests have. */
function samePrefix(before, messages) {
  const differs = messages.findIndex((it, at) => JSON.stringify(it) !== JSON.stringify(before[at]));
  return differs < 0 ? messages.length : differs;
}

test("delta placement keeps all of a conversation, latest placement loses the newest user message", async () => {
  const host = { readFile: async ({ path }) => `content of ${path}` };
  const kept = {};
  for (const placement of ["latest", "delta"]) {
    const assembler = new GhostBlockAssembler({ root: "/work", placement });
    let messages = [];
    let request = [];
    kept[placement] = [];
    for (const prompt of ["@[a.md]", "@[b.md]", "@[c.md]"]) {
      const { text } = await assembler.assemble(prompt, host);
      if (placement === "latest") messages = turnkeeper.stripGhostBlocks(messages);
      messages = [...messages, { role: "user", content: text }];
      kept[placement].push(samePrefix(request, messages));
      request = messages;
      messages = [...messages, { role: "assistant", content: `about ${prompt}` }];
    }
  }
  assert.deepEqual(kept, { latest: [0, 0, 2], delta: [0, 1, 3] });
});
