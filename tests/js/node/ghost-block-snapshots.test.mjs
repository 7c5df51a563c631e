// An assembler that was saved and restored goes on as if it had never stopped.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { idle, keys, makeHost } from "./assembler-host.mjs";
import { turnkeeper } from "./installed-package.mjs";
import { random, seed } from "./random.mjs";

const { GhostBlockAssembler } = turnkeeper;
const make = (options) => new GhostBlockAssembler({ root: "/work", ...options });
const restore = (assembler, options) => GhostBlockAssembler.restore(assembler.snapshot(), options);

/** A host with versions, whose files and tools may change or fail. */
function versionedHost(files) {
  const host = makeHost(files, {
    ok: ({ n }) => `result ${n}\u2028\ud800`,
    flaky: () => {
      if (files["a.md"].length % 2) throw new Error("odd");
      return "even";
    },
  });
  host.readFile = async ({ path, startLine, knownVersion }) => {
    host.asked.push(`${path} ${startLine} ${knownVersion}`);
    if (!(path in files)) return { missing: true };
    const content = startLine ? files[path].split("\n")[startLine - 1] : files[path];
    if (content === undefined) throw new Error("no such line");
    return content === knownVersion ? { unchanged: true } : { content, version: content };
  };
  return host;
}

const PROMPTS = [
  "@[a.md] @[b/]",
  "@[b.md:1] @[b.md:9] @[no.md] @[../up]",
  "@[b.md]",
  '@[ok{"n": 1}] @[flaky{}]',
  '@[ok{"n": 2, "x": ["\\ud800"]}]',
  '@{define F, "c.md"}\n思 @[@{F}]',
  "@{ifdef F}@[c.md:2]@{else}no@{endif} \\@[a.md]",
  "![x](data:image/png;base64,AAAA) go on",
  "",
];
const OPTIONS = [
  {},
  { placement: "delta" },
  { maxTokens: 60 },
  { placement: "delta", maxTokens: 60 },
  { trustFiles: true, maxItemBytes: 20 },
  { tools: ["ok"], maxItems: 3 },
];

/** What a conversation may be told or asked at one step; the same for both. */
function step() {
  const prompt = PROMPTS[random(PROMPTS.length)];
  const kind = random(10);
  if (kind === 0) {
    const rules = [{ name: "r", content: `R${random(3)} @[a.md] @{F}` }].slice(random(2));
    return (assembler) => assembler.setRules(rules);
  }
  if (kind === 1) return (assembler) => assembler.scanHistory([{ role: "user", content: prompt }]);
  if (kind === 2) return (assembler, host) => assembler.expandDocument(prompt, host);
  return async (assembler, host) => {
    const assembled = await assembler.assemble(prompt, host);
    // Sometimes what was assembled comes back.
    if (kind === 3)
      assert.equal((await assembler.assemble(assembled.text, host)).text, assembled.text);
    return { ...assembled };
  };
}

describe(`snapshots (TURNKEEPER_SEED=${seed})`, () => {
  test("restored at any time equal never having stopped", async () => {
    for (let round = 0; round < 120; round++) {
      const files = { "a.md": "A", "b.md": "B\n@[a.md]", "c.md": "C1\nC2" };
      const hosts = [versionedHost(files), versionedHost(files)];
      const stays = make(OPTIONS[random(OPTIONS.length)]);
      let moves = restore(stays);
      for (let turn = 0; turn < 8; turn++) {
        const act = step();
        const place = `round ${round}, turn ${turn}`;
        assert.deepEqual(await act(stays, hosts[0]), await act(moves, hosts[1]), place);
        assert.deepEqual(hosts[0].news(), hosts[1].news(), place);
        assert.deepEqual(moves.snapshot(), stays.snapshot(), place);
        const restored = restore(moves);
        assert.deepEqual(restored.snapshot(), stays.snapshot(), place);
        assert.deepEqual(restored.items, stays.items, place);
        moves.dispose();
        moves = restored;
        if (random(2)) files[["a.md", "b.md", "c.md"][random(3)]] += "x";
        if (random(6) === 0) delete files["c.md"];
      }
      stays.dispose();
      moves.dispose();
    }
  });
});

test("a snapshot holds no function, and the one that is given to `restore` counts", async () => {
  const host = makeHost({ "a.md": "A" });
  let counts = 0;
  const countTokens = () => ++counts && 1_000;
  const assembler = make({ maxTokens: 100, countTokens });
  assert.deepEqual((await assembler.assemble("@[a.md]", host)).omitted, ["a.md"]);
  const without = restore(assembler);
  counts = 0;
  assert.deepEqual((await without.assemble("x", host)).omitted, [], "the estimate counts");
  assert.equal(counts, 0);
  const restored = restore(assembler, { countTokens });
  assert.deepEqual((await restored.assemble("x", host)).omitted, ["a.md"]);
});

test("a snapshot that is taken while a prompt is under way does not know it", async () => {
  const assembler = make();
  const host = makeHost({ "a.md": "A", "b.md": "B" });
  await assembler.assemble("@[a.md]", host);
  const before = assembler.snapshot();
  const work = assembler.assemble('@{define X, "x"}@[b.md]', host);
  await idle().then(() => assert.deepEqual(keys(assembler.items), ["a.md", "b.md"]));
  await work;
  const waiting = assembler.assemble("@[c.md]", { readFile: () => new Promise(() => {}) });
  waiting.catch(() => {});
  const after = assembler.snapshot();
  await idle();
  assert.deepEqual(assembler.snapshot(), after);
  assert.notDeepEqual(after, before);
  assert.deepEqual(keys(GhostBlockAssembler.restore(after).items), ["a.md", "b.md"]);
  assembler.dispose();
});

test("a snapshot is bytes of its own, and those of a Buffer will do", async () => {
  const assembler = make();
  await assembler.assemble("@[a.md]", makeHost({ "a.md": "A" }));
  const snapshot = assembler.snapshot();
  assembler.dispose();
  assert.ok(snapshot instanceof Uint8Array);
  const padded = Buffer.concat([Buffer.from("xx"), snapshot, Buffer.from("yy")]);
  const restored = GhostBlockAssembler.restore(padded.subarray(2, -2));
  assert.deepEqual(restored.snapshot(), snapshot);
  const from = { source: "prompt", firstTurn: 1, lastTurn: 1 };
  assert.deepEqual(restored.items, [{ type: "file", key: "a.md", content: "A", from }]);
});
