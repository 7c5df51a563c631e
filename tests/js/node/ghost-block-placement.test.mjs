// Where blocks stand in a conversation, what a budget leaves of them, and how they are taken off.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { keys, makeHost, read } from "./assembler-host.mjs";
import { turnkeeper } from "./installed-package.mjs";
import { frozen } from "./made-up-histories.mjs";

const { GhostBlockAssembler, stripGhostBlocks } = turnkeeper;
const make = (options) => new GhostBlockAssembler({ root: "/work", ...options });
const block = '<content_reference>\n{\n  "files": {\n    "a.md": "A"\n  }\n}\n</content_reference>';

describe("delta placement", () => {
  const files = () => ({ "a.md": "A", "b.md": "B" });

  test("tells what is new or changed, what is unchanged, and what is gone", async () => {
    const assembler = make({ placement: "delta" });
    assembler.setRules([{ name: "r", content: "R" }]);
    const host = makeHost(files(), { ls: () => "L" });
    const turn = async (prompt) => read((await assembler.assemble(prompt, host)).block);
    assert.deepEqual(await turn("@[a.md] @[b.md] @[ls{}]"), {
      rules: [{ name: "r", content: "R" }],
      files: { "a.md": "A", "b.md": "B" },
      tools: [{ name: "ls", args: {}, result: "L" }],
    });
    host.files["a.md"] = "A2";
    assert.deepEqual(await turn("go on"), { files: { "a.md": "A2" }, unchanged: ["b.md"] });
    delete host.files["b.md"];
    assert.deepEqual(await turn("go on"), { unchanged: ["a.md"], removed: ["b.md"] });
    assert.deepEqual(await turn("go on"), { unchanged: ["a.md"] });
    host.files["b.md"] = "B2";
    assembler.setRules([{ name: "r", content: "R2" }]);
    assert.deepEqual(await turn("go on"), {
      rules: [{ name: "r", content: "R2" }],
      files: { "b.md": "B2" },
      unchanged: ["a.md"],
    });
    assembler.setRules([]);
    assert.deepEqual(await turn("go on"), { unchanged: ["a.md", "b.md"], removed: ["r"] });
  });

  test("goes on from the blocks of an old conversation", async () => {
    const [first, host] = [make({ placement: "delta" }), makeHost(files())];
    const old = [{ role: "user", content: (await first.assemble("@[a.md] @[b.md]", host)).text }];
    host.files["b.md"] = "B2";
    old.push({ role: "user", content: (await first.assemble("go on", host)).text });
    const second = make({ placement: "delta" });
    assert.equal(second.scanHistory(old), 2);
    const prompts = await Promise.all([first, second].map((each) => each.assemble("now?", host)));
    assert.deepEqual(read(prompts[1].block), { unchanged: ["a.md", "b.md"] });
    assert.equal(prompts[1].text, prompts[0].text);
  });
});

describe("a budget", () => {
  const text = "word ".repeat(20);
  const files = { "a.md": text, "b.md": text, "c.md": text };
  const rule = { name: "r", content: "rule ".repeat(20) };
  const estimate = (units) => Math.ceil(units.length / 4);

  test("leaves out what was mentioned longest ago, and names it", async () => {
    const assembler = make({ maxTokens: 100 });
    assembler.setRules([rule]);
    const host = makeHost(files);
    await assembler.assemble("@[a.md]", host);
    await assembler.assemble("@[b.md]", host);
    const { block, omitted, items } = await assembler.assemble("@[c.md]", host);
    assert.ok(estimate(block) <= 100, block);
    assert.deepEqual(omitted, ["a.md", "b.md"]);
    const said = read(block);
    assert.deepEqual(Object.keys(said), ["rules", "files", "omitted"]);
    assert.deepEqual([Object.keys(said.files), said.omitted], [["c.md"], omitted]);
    assert.deepEqual(keys(items), ["r", "a.md", "b.md", "c.md"]);
    assert.equal(items[1].content, text, "an item that is left out is still known");
  });

  test("takes lines of a whole file for a mention of it", async () => {
    const assembler = make({ maxTokens: 100 });
    const host = makeHost(files);
    await assembler.assemble("@[a.md]", host);
    await assembler.assemble("@[b.md] @[c.md]", host);
    const { block } = await assembler.assemble("@[a.md:1]", host);
    assert.ok("a.md" in read(block).files, block);
  });

  test("never leaves out a rule, and says that it is too small", async () => {
    const assembler = make({ maxTokens: 10 });
    assembler.setRules([rule]);
    const { block, omitted, diagnostics } = await assembler.assemble("@[a.md]", makeHost(files));
    assert.deepEqual(read(block), { rules: [rule], omitted: ["a.md"] });
    assert.deepEqual(omitted, ["a.md"]);
    assert.deepEqual(
      diagnostics.map(({ severity, code }) => [severity, code]),
      [["error", "over_budget"]],
    );
  });

  test("is counted by the host's function, which gets whole texts", async () => {
    const counted = [];
    const countTokens = (...given) => counted.push(given) && given[0].length;
    const assembler = make({ maxTokens: 200, countTokens });
    const host = makeHost({ "a.md": "a😀\ud800".repeat(40), "b.md": "b".repeat(40) });
    const { block, omitted } = await assembler.assemble("@[a.md] @[b.md]", host);
    assert.ok(counted.every((given) => given.length === 1 && typeof given[0] === "string"));
    assert.equal(counted.at(-1)[0], block, "the last count is that of the block");
    assert.ok(block.length <= 200, `${block.length}`);
    assert.deepEqual(omitted, ["a.md"]);
    const without = make({ countTokens: () => assert.fail("there is nothing to count for") });
    assert.deepEqual((await without.assemble("@[a.md]", host)).omitted, []);
    const idle = make({ maxTokens: 1, countTokens: () => assert.fail("there is no block") });
    assert.equal((await idle.assemble("x", host)).block, "");
  });

  test("counts one token for four units, and one for each Chinese character", async () => {
    const host = makeHost({ "a.md": "思".repeat(100), "b.md": "x".repeat(100) });
    const tokens = async (path) => {
      for (let maxTokens = 1; ; maxTokens++) {
        const assembler = make({ maxTokens });
        const { omitted } = await assembler.assemble(`@[${path}]`, host);
        assembler.dispose();
        if (omitted.length === 0) return maxTokens;
      }
    };
    const around = estimate(block.replace('"A"', '""'));
    assert.ok(Math.abs((await tokens("a.md")) - around - 100) <= 1);
    assert.ok(Math.abs((await tokens("b.md")) - around - 25) <= 1);
  });

  for (const [what, error] of [
    ["an error", new Error("mine")],
    ["a RangeError", new RangeError("mine")],
    ["an error of another module", new WebAssembly.RuntimeError("mine")],
    ["no error", undefined],
  ]) {
    test(`whose count throws ${what} rejects with that, and nothing has happened`, async () => {
      let isBroken = false;
      const countTokens = () => {
        if (isBroken) throw error;
        return 1;
      };
      const assembler = make({ maxTokens: 5, countTokens });
      const host = makeHost({ "a.md": "A", "b.md": "B" });
      await assembler.assemble("@[a.md]", host);
      const before = assembler.snapshot();
      isBroken = true;
      const failure = await assembler.assemble("@[b.md]", host).then(assert.fail, (it) => it);
      assert.equal(failure, error);
      assert.deepEqual(assembler.snapshot(), before);
      isBroken = false;
      assert.deepEqual(keys((await assembler.assemble("x", host)).items), ["a.md"]);
    });
  }

  for (const count of [Number.NaN, -1, "5", null, undefined, 5n, {}]) {
    test(`whose count is ${typeof count} ${String(count)} rejects with a typed error`, async () => {
      const assembler = make({ maxTokens: 5, countTokens: () => count });
      const work = assembler.assemble("@[a.md]", makeHost(files));
      await assert.rejects(work, { code: "invalid_argument", detail: { field: "countTokens" } });
      assert.deepEqual(assembler.items, []);
    });
  }

  test("takes fractions and infinity for numbers", async () => {
    const omitted = async (count) => {
      const assembler = make({ maxTokens: 5, countTokens: () => count });
      return (await assembler.assemble("@[a.md]", makeHost(files))).omitted;
    };
    assert.deepEqual(await omitted(5), []);
    assert.deepEqual(await omitted(5.01), ["a.md"]);
    assert.deepEqual(await omitted(Number.POSITIVE_INFINITY), ["a.md"]);
  });
});

describe("limits", () => {
  test("are told in the item's place, and nothing is cut", async () => {
    const assembler = make({ maxItemBytes: 10, maxTotalBytes: 15, maxItems: 3 });
    const host = makeHost({ a: "0123456789", b: "思思思思", c: "012345", d: "D" });
    const { files } = read((await assembler.assemble("@[a] @[b] @[c] @[d]", host)).block);
    assert.equal(files.a, "0123456789");
    assert.match(files.b.error, /\b12 bytes\b.*\b10 bytes\b/);
    assert.match(files.c.error, /\b15 bytes\b/);
    assert.equal(files["(more references)"].error, "1 more than the limit of 3 items");
    assert.deepEqual(host.asked, ["a", "b", "c"]);
  });

  test("bound the macros of a document", async () => {
    const assembler = make({ maxMacroExpansions: 2 });
    const { text, diagnostics } = await assembler.assemble(
      '@{define X, "x"}@{X}@{X}@{X}',
      makeHost(),
    );
    assert.equal(text, "xx@{X}");
    assert.deepEqual(
      diagnostics.map(({ code, column }) => [code, column]),
      [["macro_limit", 25]],
    );
  });
});

describe("stripGhostBlocks", () => {
  const text = (value, more) => ({ type: "text", text: value, ...more });

  test("takes the block off the end of user messages, and leaves the others the same objects", () => {
    const messages = frozen([
      { role: "user", content: `Hello.\n\n${block}`, id: 1 },
      { role: "assistant", content: `Hello.\n\n${block}` },
      { role: "user", content: "Hello." },
      { role: "user", content: [text("see"), text(`this\n\n${block}`, { own: 1 })] },
      { role: "user", content: [text("see"), { type: "image" }, text(block)] },
      { role: "user", content: [text(`x\n\n${block}`), { type: "image" }] },
      { role: "user", content: `x\n\n${block} \t\r\n` },
      { role: "user", content: `x\n\n${block}\n\n${block}` },
    ]);
    const stripped = stripGhostBlocks(messages);
    assert.deepEqual(stripped, [
      { role: "user", content: "Hello.", id: 1 },
      messages[1],
      messages[2],
      { role: "user", content: [text("see"), text("this", { own: 1 })] },
      { role: "user", content: [text("see"), { type: "image" }] },
      { role: "user", content: [text("x"), { type: "image" }] },
      { role: "user", content: "x" },
      { role: "user", content: `x\n\n${block}` },
    ]);
    for (const at of [1, 2]) assert.equal(stripped[at], messages[at]);
    assert.equal(stripped[3].content[0], messages[3].content[0]);
  });

  test("leaves what only looks like a block", () => {
    const contents = [
      block,
      [text(block)],
      `x\n\n${block}.`,
      "x\n<content_reference>\nmine\n</content_reference>",
      "x\n}\n</content_reference>",
      `${block}\n\nx`,
      undefined,
      null,
      7,
      [],
      [null, 7, text(7)],
    ];
    for (const content of contents) {
      const message = { role: "user", content };
      assert.equal(stripGhostBlocks([message])[0], message, JSON.stringify(content));
    }
  });

  test("takes off a block in another spelling", () => {
    const json = JSON.stringify(JSON.parse(block.split("\n").slice(1, -1).join("\n")));
    const markdown = "# Source: a.ts (v1)\n\n```ts\nA\n```\n\n# Tool Call: ls\n> Args: {}\n\nL";
    for (const inside of [json, `\n${json}\n`, `\n\n${markdown}\n`]) {
      for (const before of ["x\n", "x\n\n"]) {
        const content = `${before}<content_reference>${inside}</content_reference>`;
        const [message] = stripGhostBlocks([{ role: "user", content }]);
        assert.equal(message.content, "x", content);
      }
    }
  });

  test("gives what the user wrote for what was assembled", async () => {
    const assembler = make();
    const host = makeHost({ "a.md": "A" });
    for (const prompt of ["@[a.md]", " x ", "a\n\n", "<content_reference>\n{ mine", "}\n"]) {
      const { text: content, parts } = await assembler.assemble(prompt, host);
      for (const sent of [content, parts]) {
        const [message] = stripGhostBlocks([{ role: "user", content: sent }]);
        assert.deepEqual(message.content, typeof sent === "string" ? prompt : [text(prompt)]);
      }
    }
  });

  test("leaves a text that is nearly all white space as it is", async () => {
    const blank = `${" ".repeat(1_000_000)}x`;
    const message = { role: "user", content: blank };
    assert.equal(stripGhostBlocks([message])[0], message);
    assert.equal((await make().assemble(blank, makeHost())).text, blank);
  });
});
