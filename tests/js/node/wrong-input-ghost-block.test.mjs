// Every call of the assembler with values of the wrong type: a typed error that names the field, and
// objects that go on working.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { keys, makeHost } from "./assembler-host.mjs";
import { assertTyped, cyclic } from "./typed-errors.mjs";
import { turnkeeper } from "./installed-package.mjs";

const { GhostBlockAssembler, LoopDetector, TurnkeeperError, stripGhostBlocks } = turnkeeper;

const MACHINE = "ghost_block_assembler";
const make = (options) => new GhostBlockAssembler({ root: "/work", ...options });
const refuses = (call, code, field) => assertTyped(call, code, field, MACHINE);
const host = makeHost({ "a.md": "A" });

/** What a promise is rejected with; a call that throws at once is none of that. */
async function rejects(call, code, field) {
  const reason = await call().then(assert.fail, (error) => error);
  refuses(
    () => {
      throw reason;
    },
    code,
    field,
  );
}

/** A value as a test's title tells it. */
function show(value) {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return `a value that resists (${typeof value})`;
  }
}

async function assertWorks(assembler) {
  const { items } = await assembler.assemble("@[a.md]", host);
  assert.ok(keys(items).includes("a.md"));
  assert.equal(assembler.inspect("@[a.md]").references.length, 1);
}

describe("options", () => {
  const root = "/work";
  const wrong = [
    [undefined, "root"],
    [null, "options"],
    [7, "options"],
    ["/work", "options"],
    [[], "options"],
    [{}, "root"],
    [{ root: 7 }, "root"],
    [{ root: "" }, "root"],
    [{ root: "work" }, "root"],
    [{ root: "C:work" }, "root"],
    [{ root, rot: 1 }, "rot"],
    [{ root, allowedRoots: "/a" }, "allowedRoots"],
    [{ root, allowedRoots: ["/a", 7] }, "allowedRoots[1]"],
    [{ root, allowedRoots: ["/a", "b"] }, "allowedRoots[1]"],
    [{ root, platform: "windows" }, "platform"],
    [{ root, platform: "win32" }, "root"],
    [{ root, tools: "ls" }, "tools"],
    [{ root, tools: [null] }, "tools[0]"],
    [{ root, placement: "first" }, "placement"],
    [{ root, maxTokens: 0 }, "maxTokens"],
    [{ root, maxTokens: 1.5 }, "maxTokens"],
    [{ root, maxTokens: "1" }, "maxTokens"],
    [{ root, maxTokens: Number.POSITIVE_INFINITY }, "maxTokens"],
    [{ root, trustFiles: 1 }, "trustFiles"],
    [{ root, remoteImages: "yes" }, "remoteImages"],
    [{ root, referencesInCode: null }, "referencesInCode"],
    [{ root, maxDepth: -1 }, "maxDepth"],
    [{ root, maxItems: Number.NaN }, "maxItems"],
    [{ root, maxItemBytes: {} }, "maxItemBytes"],
    [{ root, maxTotalBytes: 2 ** 53 }, "maxTotalBytes"],
    [{ root, maxMacroExpansions: 0 }, "maxMacroExpansions"],
    [{ root, countTokens: 7 }, "countTokens"],
    [{ root, countTokens: null }, "countTokens"],
  ];
  for (const [options, field] of wrong) {
    test(`refuses ${show(options)}`, () => {
      refuses(() => new GhostBlockAssembler(options), "invalid_config", field);
    });
  }

  test("may be undefined one by one", async () => {
    const none = { allowedRoots: undefined, maxTokens: undefined, countTokens: undefined };
    await assertWorks(make(none));
  });
});

describe("setRules", () => {
  const rule = { name: "r", content: "R" };
  const wrong = [
    [undefined, "rules"],
    [null, "rules"],
    ["r", "rules"],
    [{}, "rules"],
    [new Set([rule]), "rules"],
    [[rule, null], "rules[1]"],
    [["r"], "rules[0]"],
    [[{}], "rules[0].name"],
    [[{ name: 7, content: "R" }], "rules[0].name"],
    [[rule, { name: "x" }], "rules[1].content"],
    [[{ name: "x", content: null }], "rules[0].content"],
  ];
  wrong.forEach(([rules, field], index) => {
    test(`refuses wrong rules ${index}: ${field}`, async () => {
      const assembler = make();
      assembler.setRules([rule]);
      refuses(() => assembler.setRules(rules), "invalid_argument", field);
      const { items } = await assembler.assemble("x", host);
      const from = { source: "rule", name: "r", firstTurn: 1, lastTurn: 1 };
      assert.deepEqual(items, [{ type: "rule", key: "r", content: "R", from }], "the rules stay");
    });
  });
});

describe("inspect", () => {
  for (const prompt of [undefined, null, 7, {}, ["@[a]"], new String("x")]) {
    test(`refuses ${show(prompt)}`, async () => {
      const assembler = make();
      refuses(() => assembler.inspect(prompt), "invalid_argument", "prompt");
      await assertWorks(assembler);
    });
  }
});

for (const [method, field] of [
  ["assemble", "prompt"],
  ["expandDocument", "text"],
  ["prepareSkill", "text"],
]) {
  describe(method, () => {
    const wrong = [
      [undefined, host, {}, field],
      [null, host, {}, field],
      [7, host, {}, field],
      [["x"], host, {}, field],
      ["x", undefined, {}, "host"],
      ["x", null, {}, "host"],
      ["x", "host", {}, "host"],
      ["x", () => "A", {}, "host"],
      ["x", {}, {}, "host.readFile"],
      ["x", { readFile: "A" }, {}, "host.readFile"],
      ["x", host, null, "options"],
      ["x", host, 7, "options"],
      ["x", host, { signal: 7 }, "options.signal"],
      ["x", host, { signal: new AbortController() }, "options.signal"],
    ];
    test("rejects wrong arguments with a typed error, and never throws at once", async () => {
      const assembler = make();
      for (const [text, own, options, place] of wrong) {
        await rejects(() => assembler[method](text, own, options), "invalid_argument", place);
      }
      await assertWorks(assembler);
    });

    test("takes null and undefined for no signal", async () => {
      for (const options of [undefined, {}, { signal: undefined }, { signal: null }]) {
        assert.ok(await make()[method]("x", host, options));
      }
    });
  });
}

describe("messages", () => {
  const user = (content) => ({ role: "user", content });
  const calls = {
    scanHistory: (messages) => make().scanHistory(messages),
    stripGhostBlocks,
  };
  for (const [name, call] of Object.entries(calls)) {
    test(`of ${name} are an array of objects`, () => {
      for (const messages of [undefined, null, 7, "x", {}, new Set()]) {
        refuses(() => call(messages), "invalid_argument", "messages");
      }
      for (const message of [undefined, null, "x", 7]) {
        refuses(() => call([user("x"), message]), "invalid_argument", "messages[1]");
      }
    });

    test(`of ${name} may have contents of any kind`, () => {
      const contents = [undefined, null, 7, {}, cyclic, [], [cyclic, null, 7, [], undefined, "x"]];
      assert.ok(call(contents.map(user)) !== undefined);
    });
  }

  test("that are refused leave the conversation as it was", async () => {
    const assembler = make();
    const messages = [user("@[b.md]"), 7];
    refuses(() => assembler.scanHistory(messages), "invalid_argument", "messages[1]");
    assert.deepEqual(assembler.items, []);
    await assertWorks(assembler);
  });
});

describe("an assembler that was disposed of", () => {
  const uses = {
    setRules: (assembler) => assembler.setRules([]),
    inspect: (assembler) => assembler.inspect("x"),
    scanHistory: (assembler) => assembler.scanHistory([]),
    items: (assembler) => assembler.items,
    snapshot: (assembler) => assembler.snapshot(),
  };
  const gone = () => {
    const assembler = make();
    assembler.dispose();
    assembler.dispose();
    return assembler;
  };
  for (const [name, use] of Object.entries(uses)) {
    test(`says so: ${name}`, () => refuses(() => use(gone()), "disposed"));
  }
  for (const name of ["assemble", "expandDocument", "prepareSkill"]) {
    test(`says so: ${name}`, () => rejects(() => gone()[name]("x", host), "disposed"));
  }

  test("`using` disposes of it", () => {
    const assembler = make();
    assembler[Symbol.dispose ?? Symbol.for("Symbol.dispose")]();
    refuses(() => assembler.items, "disposed");
  });
});

describe("restore", () => {
  const good = make().snapshot();
  const flipped = (at) => Uint8Array.from(good, (byte, index) => (index === at ? byte ^ 1 : byte));
  const wrong = [
    [undefined, "invalid_argument", "snapshot"],
    [null, "invalid_argument", "snapshot"],
    ["snapshot", "invalid_argument", "snapshot"],
    [[...good], "invalid_argument", "snapshot"],
    [new Uint16Array(good), "invalid_argument", "snapshot"],
    [good.buffer, "invalid_argument", "snapshot"],
    [new Uint8Array(), "snapshot_corrupt"],
    [new Uint8Array(1_000), "snapshot_corrupt"],
    [Uint8Array.of(...good, 0), "snapshot_corrupt"],
    [new LoopDetector().snapshot(), "wrong_machine"],
  ];
  wrong.forEach(([snapshot, code, field], index) => {
    test(`refuses wrong snapshot ${index}: ${code}`, () => {
      refuses(() => GhostBlockAssembler.restore(snapshot), code, field);
    });
  });

  test("refuses every snapshot that is cut, and every one with a bit changed", () => {
    for (let at = 0; at < good.length; at++) {
      refuses(() => GhostBlockAssembler.restore(good.slice(0, at)), "snapshot_corrupt");
      assert.throws(() => GhostBlockAssembler.restore(flipped(at)), TurnkeeperError, `byte ${at}`);
    }
  });

  test("takes the function that no snapshot holds, and nothing that is none", () => {
    for (const [options, field] of [
      [null, "options"],
      [7, "options"],
      [{ countTokens: 7 }, "countTokens"],
    ]) {
      refuses(() => GhostBlockAssembler.restore(good, options), "invalid_config", field);
    }
    GhostBlockAssembler.restore(good, {}).dispose();
  });

  test("is no bait for another assembler that is made meanwhile", async () => {
    const made = [];
    const options = {
      get countTokens() {
        made.push(new GhostBlockAssembler({ root: "/other" }));
        return undefined;
      },
    };
    const restored = GhostBlockAssembler.restore(good, options);
    restored.dispose();
    for (const assembler of made) await assertWorks(assembler);
  });
});
