// Hosts of every kind: slow, wrong, rude, ever silent. None of them can upset the conversation.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { deferred, idle, keys, makeHost } from "./assembler-host.mjs";
import { turnkeeper } from "./installed-package.mjs";

const { GhostBlockAssembler } = turnkeeper;
const make = (options) => new GhostBlockAssembler({ root: "/work", ...options });

/** A host whose every answer waits to be given: `waiting[path]` has the means. */
function slowHost() {
  const waiting = {};
  return {
    waiting,
    readFile: ({ path }) => (waiting[path] = deferred()).promise,
  };
}

describe("an answer", () => {
  /** The only item of a conversation whose host answers so. */
  async function itemOf(prompt, host) {
    const assembler = make();
    const { items, parts, diagnostics } = await assembler.assemble(prompt, {
      readFile() {},
      ...host,
    });
    assembler.dispose();
    return items[0] ?? { parts, diagnostics };
  }
  const failing = {
    "that is rejected": () => Promise.reject(new Error("mine")),
    "that is rejected with a text": () => Promise.reject("mine"),
    "that is thrown at once": () => {
      throw new Error("mine");
    },
  };
  for (const [what, answer] of Object.entries(failing)) {
    test(`${what} is an error in the item's place`, async () => {
      assert.equal((await itemOf("@[a]", { readFile: answer })).error, "mine");
      assert.equal((await itemOf("@[a/]", { listDirectory: answer })).error, "mine");
      assert.equal((await itemOf("@[a{}]", { runTool: answer })).error, "mine");
      const { diagnostics } = await itemOf("![x](a)", { readImage: answer });
      assert.equal(diagnostics[0].message, "mine");
    });
  }

  const nonsense = [undefined, null, 7, true, {}, [], () => {}, { content: 5 }, { missing: 1 }];
  const more = [{ unchanged: "yes" }, { denied: 7 }, { data: "AAAA" }];
  for (const [index, answer] of [...nonsense, ...more].entries()) {
    test(`of the wrong type is an error: ${index}`, async () => {
      for (const [prompt, method] of [
        ["@[a]", "readFile"],
        ["@[a/]", "listDirectory"],
        ["@[a{}]", "runTool"],
        ["![x](a)", "readImage"],
      ]) {
        const { error, content, diagnostics, parts } = await itemOf(prompt, {
          [method]: () => answer,
        });
        assert.equal(content, undefined);
        assert.ok((error ?? diagnostics[0].message).length > 0, method);
        if (parts) assert.deepEqual(parts, [{ type: "text", text: prompt }]);
      }
    });
  }

  test("that another request would take is of the wrong type", async () => {
    const wrong = [
      ["![x](a)", "readImage", "text"],
      ["![x](a)", "readImage", { mediaType: "image/png", data: 7 }],
      ["![x](a)", "readImage", { mediaType: null, data: "AAAA" }],
      ["@[a{}]", "runTool", { content: "x" }],
      ["@[a{}]", "runTool", { unchanged: true }],
      ["@[a/]", "listDirectory", { content: "x" }],
      ["@[a]", "readFile", { mediaType: "image/png", data: "AAAA" }],
    ];
    for (const [prompt, method, answer] of wrong) {
      const { error, diagnostics } = await itemOf(prompt, { [method]: () => answer });
      assert.match(error ?? diagnostics[0].message, /wrong (type|kind)/, `${method}: ${prompt}`);
    }
  });

  test("may be given without a promise, and its version may be left out", async () => {
    assert.equal((await itemOf("@[a]", { readFile: () => "A" })).content, "A");
    for (const version of [undefined, null, 7]) {
      const answer = { content: "A", version };
      assert.equal((await itemOf("@[a]", { readFile: () => answer })).content, "A");
    }
  });

  test("that is given twice counts once", async () => {
    const twice = {
      then(resolve, reject) {
        resolve("first");
        resolve("second");
        reject(new Error("third"));
        setTimeout(() => resolve("fourth"), 1);
        throw new Error("fifth");
      },
    };
    assert.equal((await itemOf("@[a]", { readFile: () => twice })).content, "first");
    const late = deferred();
    const assembler = make();
    await assembler.assemble("@[a]", { readFile: () => twice });
    setTimeout(late.resolve, 20);
    await late.promise;
    assert.equal(assembler.items[0].content, "first");
  });

  test("that is too long even to be looked at is an error", async () => {
    const answer = { content: "x".repeat(150_000_000), version: "1" };
    assert.match((await itemOf("@[a]", { readFile: () => answer })).error, /too long/);
    const [{ message }] = (
      await itemOf("![x](a)", {
        readImage: async () => ({
          mediaType: "image/png",
          data: answer.content,
        }),
      })
    ).diagnostics;
    assert.match(message, /too long/);
  });

  test("of a method that the host does not have is an error that names the method", async () => {
    assert.match((await itemOf("@[a{}]", {})).error, /no runTool/);
    assert.match((await itemOf("@[a/]", {})).error, /no listDirectory/);
    assert.match((await itemOf("![x](a)", {})).diagnostics[0].message, /no readImage/);
    assert.match((await itemOf("@[a{}]", { runTool: 7 })).error, /no runTool/);
  });
});

describe("requests", () => {
  test("are handed out all at once, and answered in any order with the same result", async () => {
    const paths = ["a", "b", "c", "d"];
    const prompt = paths.map((path) => `@[${path}]`).join(" ");
    const texts = new Set();
    for (const order of permutations(paths)) {
      const host = slowHost();
      const assembler = make();
      const work = assembler.assemble(prompt, host);
      await idle();
      assert.deepEqual(Object.keys(host.waiting).sort(), paths, "before any of them is answered");
      for (const path of order) {
        host.waiting[path].resolve(path.toUpperCase());
        if (order[0] === "a") await idle();
      }
      texts.add((await work).text);
      assembler.dispose();
    }
    assert.equal(texts.size, 1);
  });

  test("that follow from trusted files do not depend on the order, either", async () => {
    const files = {
      a: '@{define X, "x"}@[c]',
      b: "@{ifdef X}@[d]@{else}@[e]@{endif}",
      c: "C",
      d: "D",
      e: "E",
    };
    const texts = new Set();
    for (const order of permutations(["a", "b", "c"])) {
      const host = slowHost();
      const work = make({ trustFiles: true }).assemble("@[a] @[b]", host);
      for (let round = 0; round < 8; round++) {
        await idle();
        const path = order.find((each) => each in host.waiting) ?? Object.keys(host.waiting)[0];
        host.waiting[path]?.resolve(files[path]);
        delete host.waiting[path];
      }
      texts.add((await work).text);
    }
    assert.equal(texts.size, 1);
    assert.match([...texts][0], /"b": "D"/);
  });

  test("are calls of the host's own methods", async () => {
    class Host {
      #files = { a: "A" };
      async readFile({ path }) {
        return this.#files[path];
      }
    }
    assert.equal((await make().assemble("@[a]", new Host())).items[0].content, "A");
  });

  test("have plain arguments, those of a tool as JSON says", async () => {
    const asked = [];
    const note = (request) => asked.push(request) && "x";
    const host = { readFile: note, runTool: note, listDirectory: note, readImage: note };
    const args = '{"b": [1, null, "\\ud800😀"], "a": {"__proto__": 1.50, "a": 1, "a": 2}}';
    await make().assemble(`@[a.md] @[b.md:3] @[t${args}] @[c/] ![x](d.png)`, host);
    const wanted = [
      { path: "a.md" },
      { path: "b.md", startLine: 3, endLine: 3 },
      { name: "t", args: JSON.parse(args) },
      { path: "c" },
      { uri: "d.png" },
    ];
    const sorted = (all) => all.map((each) => JSON.stringify(each)).sort();
    assert.deepEqual(sorted(asked), sorted(wanted));
  });
});

describe("calls that overlap", () => {
  test("do not wait for each other, and the one that ends later has what the earlier one brought", async () => {
    const [assembler, host] = [make(), slowHost()];
    const [slow, quick] = [assembler.assemble("@[a]", host), assembler.assemble("@[b]", host)];
    const document = assembler.expandDocument("<@[c]>", host);
    await idle();
    assert.deepEqual(Object.keys(host.waiting), ["a", "b", "c"]);
    host.waiting.b.resolve("B");
    assert.deepEqual(keys((await quick).items), ["b"]);
    host.waiting.c.resolve("C");
    assert.equal((await document).content, "<C>");
    host.waiting.a.resolve("A");
    await idle();
    host.waiting.b.resolve("B, as it is now");
    const { block, items } = await slow;
    assert.deepEqual(keys(items), ["b", "a"]);
    assert.match(block, /"b": "B, as it is now"/);
  });

  test("take effect in the order in which they are made if the host answers in that", async () => {
    const assembler = make();
    const host = { readFile: async ({ path }) => path };
    const works = ["a", "b", "c"].map((path) => assembler.assemble(`@[${path}]`, host));
    const ended = (await Promise.all(works)).map(({ items }) => keys(items));
    assert.deepEqual(ended, [["a"], ["a", "b"], ["a", "b", "c"]]);
  });

  test("from within a method of the host, after its first await, are carried out", async () => {
    const assembler = make();
    const calls = {
      assemble: async () => (await assembler.assemble("@[inner]", plain)).text,
      expandDocument: async () => (await assembler.expandDocument("@[inner]", plain)).content,
      prepareSkill: async () => (await assembler.prepareSkill("@[inner]", plain)).content,
    };
    const plain = { readFile: async () => "I" };
    for (const [name, call] of Object.entries(calls)) {
      const host = { readFile: async () => (await idle(), await call()) };
      const { items } = await assembler.assemble(`@[${name}]`, host);
      assert.match(items.find(({ key }) => key === name).content, /I/);
    }
  });

  test("that a method of the host makes without end get an error, and all others end", async () => {
    const assembler = make();
    let calls = 0;
    const errors = [];
    const host = {
      async readFile({ path }) {
        calls += 1;
        await null;
        try {
          return (await assembler.expandDocument("@[a]", host)).content;
        } catch (error) {
          errors.push(error);
          throw error;
        }
      },
    };
    const { items } = await assembler.assemble("@[a]", host);
    assert.deepEqual(keys(items), ["a"]);
    assert.equal(calls, 100);
    assert.ok(errors[0] instanceof turnkeeper.TurnkeeperError);
    assert.deepEqual([errors[0].code, errors.length], ["limit_exceeded", 1]);
    const after = await assembler.assemble("@[b]", { readFile: async () => "B" });
    assert.equal(after.items.at(-1).content, "B", "nothing is left of those that ended");
  });

  test("are given up one by one", async () => {
    const [assembler, host] = [make(), slowHost()];
    const [kept, given] = [new AbortController(), new AbortController()];
    const works = [kept, given].map(({ signal }, at) =>
      assembler.assemble(`@[${at}]`, host, { signal }),
    );
    await idle();
    given.abort("mine");
    await assert.rejects(works[1], (reason) => reason === "mine");
    host.waiting[1].resolve("late");
    host.waiting[0].resolve("A");
    assert.deepEqual(keys((await works[0]).items), ["0"]);
    assert.deepEqual(keys(assembler.items), ["0"]);
  });

  test("are all ended when the assembler is disposed of", async () => {
    const [assembler, host] = [make(), slowHost()];
    const works = ["@[a]", "@[b]", "c"].map((prompt) => assembler.assemble(prompt, host));
    assembler.dispose();
    const ends = await Promise.allSettled(works);
    assert.deepEqual(
      ends.map(({ reason }) => reason?.code),
      ["disposed", "disposed", "disposed"],
    );
  });

  test("go on when one of them fails", async () => {
    const assembler = make({ maxTokens: 5, countTokens: () => assert.fail("mine") });
    const host = makeHost({ a: "A" });
    const works = [assembler.assemble("@[a]", host), assembler.expandDocument("@[a]", host)];
    const [first, second] = await Promise.allSettled(works);
    assert.deepEqual([first.status, second.value?.content], ["rejected", "A"]);
  });

  test("that the host makes while it is asked are refused, and nothing waits for ever", async () => {
    const assembler = make();
    let inner;
    const host = {
      readFile({ path }) {
        assert.deepEqual(assembler.inspect("@[x]").references.length, 1);
        assert.deepEqual(keys(assembler.items), path === "b" ? ["a"] : []);
        assert.ok(assembler.snapshot().length > 0);
        assembler.setRules([{ name: "r", content: "R" }]);
        inner ??= assert.rejects(assembler.assemble("@[b]", host), { code: "wrong_order" });
        return path.toUpperCase();
      },
    };
    const outer = await assembler.assemble("@[a]", host);
    assert.deepEqual(keys(outer.items).at(-1), "a");
    await inner;
    // What waits for such a call gets its error as the item's.
    const waiting = {
      readFile: async () => (await assembler.expandDocument("@[c]", host)).content,
    };
    const { items } = await assembler.assemble("@[d]", waiting);
    assert.match(items.find(({ key }) => key === "d").error, /must not wait for the assembler/);
  });
});

function permutations(items) {
  if (items.length < 2) return [items];
  return items.flatMap((first, at) =>
    permutations(items.filter((_, other) => other !== at)).map((rest) => [first, ...rest]),
  );
}
