// What the host does while it counts tokens, which is within a call of the assembler.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { makeHost } from "./assembler-host.mjs";
import { turnkeeper } from "./installed-package.mjs";

const { GhostBlockAssembler, TurnkeeperError } = turnkeeper;
const host = makeHost({ a: "A" });
const options = { root: "/work", maxTokens: 5 };

describe("while tokens are counted", () => {
  test("a signal ends the call with its reason, and nothing has happened", async () => {
    const abort = new AbortController();
    const reason = new Error("enough");
    const assembler = new GhostBlockAssembler({
      ...options,
      countTokens: () => (abort.abort(reason), 1),
    });
    const work = assembler.assemble("@[a]", host, { signal: abort.signal });
    assert.equal(await work.then(assert.fail, (error) => error), reason);
    assert.deepEqual(assembler.items, []);
  });

  test("disposing of the assembler waits for the count, and ends the call", async () => {
    const assembler = new GhostBlockAssembler({
      ...options,
      countTokens: () => (assembler.dispose(), 1),
    });
    await assert.rejects(assembler.assemble("@[a]", host), { code: "disposed" });
    assert.throws(() => assembler.items, { code: "disposed" });
  });

  test("the assembler takes no calls", async () => {
    const errors = [];
    const assembler = new GhostBlockAssembler({
      ...options,
      maxTokens: 1_000,
      countTokens: () => {
        for (const call of [() => assembler.items, () => assembler.inspect("x").references]) {
          try {
            call();
          } catch (error) {
            errors.push(error);
          }
        }
        return 1;
      },
    });
    const { block } = await assembler.assemble("@[a]", host);
    assert.ok(block.includes('"a": "A"'));
    assert.deepEqual(
      errors.map((error) => error instanceof TurnkeeperError && error.code),
      ["wrong_order", "wrong_order"],
    );
    assert.equal(assembler.items.length, 1);
  });
});

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
