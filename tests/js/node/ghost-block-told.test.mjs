// What a prompt names and the model does not get is told to the user, and what did not run to the model.

import assert from "node:assert/strict";
import { test } from "node:test";

import { makeHost, read } from "./assembler-host.mjs";
import { turnkeeper } from "./installed-package.mjs";

const { GhostBlockAssembler } = turnkeeper;
const make = (options) => new GhostBlockAssembler({ root: "/work", ...options });
const told = ({ diagnostics }) =>
  diagnostics.map(({ code, message, line, column }) => [code, message, line, column]);

test("a file that is missing, refused or remote has a diagnostic where it is named", async () => {
  const host = {
    readFile: async ({ path }) => {
      if (path === "secret.ts") return { denied: "it is secret" };
      if (path === "broken.ts") throw new Error("the disk is gone");
      return path === "a.ts" ? "A" : { missing: true };
    },
  };
  const prompt =
    "Explain @[a.ts] and\n@[no.ts], @[no.ts:2-3],\n@[secret.ts] @[broken.ts]\n@[../up.ts] @[https://example.com/a.md]";
  const expected = [
    ["unreadable", "no.ts: not found", 2, 1],
    ["unreadable", "no.ts: not found", 2, 11],
    ["unreadable", "secret.ts: denied: it is secret", 3, 1],
    ["unreadable", "broken.ts: the disk is gone", 3, 14],
    ["denied", "../up.ts: denied: the path leads outside the allowed folders", 4, 1],
    ["denied", "https://example.com/a.md: denied: a URL is not a path", 4, 13],
  ];
  const assembler = make();
  assert.deepEqual(told(await assembler.assemble(prompt, host)), expected);
  assert.deepEqual(told(await make().resolve(prompt, host)), expected);
  // The prompt that comes back says it again; the next one names nothing.
  assert.deepEqual(told(await assembler.assemble("And now?", host)), []);
});

test("a tool that fails, is not allowed or is not offered has a diagnostic", async () => {
  const host = makeHost({}, { ok: () => "fine", bad: () => Promise.reject(new Error("it broke")) });
  const assembler = make({ tools: ["ok", "bad"] });
  const { diagnostics } = await assembler.assemble("@[ok{}] @[bad{}] @[other{}]", host);
  assert.deepEqual(
    diagnostics.map(({ code, column, severity }) => [code, column, severity]),
    [
      ["tool_failed", 9, "error"],
      ["tool_failed", 18, "error"],
    ],
  );
});

test("a name that does something to a terminal is not repeated", async () => {
  for (const name of ["\u001bc.ts", "a\u202eb", "a\0b"]) {
    const { diagnostics } = await make().assemble(`@[${name}]`, makeHost({}));
    assert.deepEqual(
      diagnostics.map(({ code }) => code),
      ["denied"],
    );
    assert.ok(!diagnostics[0].message.includes(name));
  }
});

test("of references over the limit one diagnostic tells", async () => {
  const { diagnostics } = await make({ maxItems: 2 }).assemble(
    "@[a] @[b] @[c] @[d]",
    makeHost({ a: "A", b: "B", c: "C", d: "D" }),
  );
  assert.deepEqual(told({ diagnostics }), [["limit", "2 more than the limit of 2 items", 1, 11]]);
});

test("a call whose arguments cannot be read is an item with an error until the next prompt", async () => {
  for (const call of ["ls{uri:1}", "ls{'uri': 1}", 'ls{"uri": 1} x', "ls{[1]}"]) {
    const host = makeHost({}, { ls: () => "L" });
    const assembler = make();
    const { items, block, diagnostics } = await assembler.assemble(`See @[${call}] now.`, host);
    const error = "it did not run: the braces of a tool call hold one JSON object";
    assert.deepEqual(items, [
      { type: "tool", key: call, error, from: { source: "prompt", firstTurn: 1, lastTurn: 1 } },
    ]);
    assert.deepEqual(read(block), { tools: [{ name: "ls", error }] });
    assert.deepEqual(
      diagnostics.map(({ code }) => code),
      ["bad_arguments"],
    );
    assert.deepEqual(host.asked, []);
    const restored = GhostBlockAssembler.restore(assembler.snapshot());
    const next = await restored.assemble('See @[ls{"uri": 1}] now.', host);
    assert.deepEqual(read(next.block), { tools: [{ name: "ls", args: { uri: 1 }, result: "L" }] });
  }
});

test("a call that nothing closes is told, too, and one in a document stays as it is written", async () => {
  const { block } = await make().assemble('@[ls{"uri": 1}\nNext line.', makeHost({}));
  assert.equal(read(block).tools.length, 1);
  const { content, diagnostics } = await make().expandDocument("@[ls{x}].", makeHost({}));
  assert.equal(content, "@[ls{x}].");
  assert.deepEqual(
    diagnostics.map(({ code }) => code),
    ["bad_arguments"],
  );
  const { references } = make().inspect("@[ls{x}]");
  assert.deepEqual(references, []);
});

test("lines may be written as editors and code hosts copy them", async () => {
  for (const written of ["a.ts:2-3", "a.ts#L2-L3", "a.ts:L2-L3", "a.ts:2:3"]) {
    const assembler = make();
    const { items } = await assembler.assemble(`@[${written}]`, makeHost({ "a.ts": "1\n2\n3\n4" }));
    assert.deepEqual([items[0].key, items[0].content], ["a.ts:2:3", "2\n3"], written);
    assert.equal(assembler.scanHistory([{ role: "user", content: "@[a.ts#L2-L3]" }]), 1);
  }
});

test("a name that may have been meant as lines is told how these are written", async () => {
  const messages = async (written) => {
    const { diagnostics } = await make().assemble(`@[${written}]`, makeHost({}));
    return diagnostics.map(({ message }) => message);
  };
  for (const written of ["a.ts(2,3)", "a.ts#2", "a.ts:2,3"]) {
    const told = `${written}: not found; lines are written as \`path:10:20\``;
    assert.deepEqual(await messages(written), [told]);
  }
  assert.deepEqual(await messages("src/a2.ts"), ["src/a2.ts: not found"]);
});

test("the rules of paths may be those that Node names", () => {
  for (const [platform, root] of [
    ["linux", "/work"],
    ["darwin", "/work"],
    ["win32", "C:\\work"],
  ]) {
    make({ platform, root }).dispose();
  }
});
