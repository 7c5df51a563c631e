// Prompts with many references, and blocks beside the host's environment.

import assert from "node:assert/strict";
import { test } from "node:test";

import { makeHost } from "./assembler-host.mjs";
import { turnkeeper } from "./installed-package.mjs";

const { GhostBlockAssembler } = turnkeeper;
const host = makeHost({ a: "A" });

test("many refusals are told in linear time, each at its place", async () => {
  const assembler = new GhostBlockAssembler({ root: "/work", maxItems: 40_000 });
  const line = "@[../] ";
  const { diagnostics } = await assembler.expandDocument(line.repeat(40_000), host);
  assert.equal(diagnostics.length, 40_000);
  assert.equal(diagnostics.at(-1).column, 39_999 * line.length + 1);
});

test("a block is found before the host's environment, in its own part", async () => {
  const assembler = new GhostBlockAssembler({ root: "/work" });
  const { parts } = await assembler.assemble("see @[a]", host);
  const environment = "<environment_details>10:00</environment_details>";
  const content = turnkeeper.withEnvironment(parts, environment);
  const [message] = turnkeeper.stripGhostBlocks([{ role: "user", content }]);
  assert.deepEqual(message.content, [{ type: "text", text: "see @[a]" }, content.at(-1)]);
});
