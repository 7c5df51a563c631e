// Calls of the assembler that end before their answers came: aborted, or disposed of.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { deferred, idle, keys, makeHost } from "./assembler-host.mjs";
import { turnkeeper } from "./installed-package.mjs";

const { GhostBlockAssembler } = turnkeeper;
const make = (options) => new GhostBlockAssembler({ root: "/work", ...options });
const silent = () => new Promise(() => {});

/** Where an item of the first prompt is from. */
const from = { source: "prompt", firstTurn: 1, lastTurn: 1 };

describe("a signal", () => {
  test("ends a call whose host never answers, with its reason", async () => {
    for (const reason of [undefined, "enough", new Error("mine"), null]) {
      const assembler = make();
      const abort = new AbortController();
      const work = assembler.assemble("@[a]", { readFile: silent }, { signal: abort.signal });
      await idle();
      abort.abort(reason);
      const failure = await work.then(assert.fail, (error) => error);
      assert.equal(failure, abort.signal.reason);
      if (reason === undefined) assert.equal(failure.name, "AbortError");
      assert.equal((await assembler.assemble("x", makeHost())).text, "x");
    }
  });

  test("that is aborted already ends a call before anything is asked", async () => {
    const host = makeHost({ a: "A" });
    const signal = AbortSignal.abort("never");
    for (const method of ["assemble", "expandDocument", "prepareSkill"]) {
      const work = make()[method]("@[a]", host, { signal });
      assert.equal(await work.then(assert.fail, (error) => error), "never");
    }
    assert.deepEqual(host.asked, []);
  });

  test("leaves the conversation as it was before the call", async () => {
    const assembler = make();
    assembler.setRules([{ name: "r", content: "R" }]);
    await assembler.assemble('@{define X, "1"}@[a]', makeHost({ a: "A" }));
    const before = assembler.snapshot();
    for (const method of ["assemble", "expandDocument", "prepareSkill"]) {
      const abort = new AbortController();
      const { signal } = abort;
      const prompt = '@{define X, "2"}@[b] @[t{}]';
      const work = assembler[method](prompt, { readFile: silent, runTool: () => "T" }, { signal });
      await idle();
      abort.abort();
      await assert.rejects(work, { name: "AbortError" });
      assert.deepEqual(assembler.snapshot(), before, method);
    }
    assert.equal((await assembler.assemble("@{X}", makeHost({ a: "A" }))).items.length, 2);
  });

  test("makes answers that come later count for nothing", async () => {
    const assembler = make();
    const abort = new AbortController();
    const late = deferred();
    const { signal } = abort;
    const first = assembler.assemble("@[a]", { readFile: () => late.promise }, { signal });
    await idle();
    abort.abort();
    await assert.rejects(first);
    // The next call's first request must not get the answer of the one before.
    const answers = { a: deferred(), b: deferred() };
    const second = assembler.assemble("@[b]", { readFile: ({ path }) => answers[path].promise });
    await idle();
    late.resolve("late");
    await idle();
    assert.deepEqual(assembler.items, []);
    answers.b.resolve("B");
    assert.deepEqual((await second).items, [{ type: "file", key: "b", content: "B", from }]);
  });

  test("that is aborted while the host is being asked keeps the rest from it", async () => {
    const abort = new AbortController();
    const asked = [];
    const readFile = ({ path }) => {
      asked.push(path);
      abort.abort("stop");
      return path;
    };
    const work = make().assemble("@[a] @[b] @[c]", { readFile }, { signal: abort.signal });
    assert.equal(await work.then(assert.fail, (error) => error), "stop");
    assert.deepEqual(asked, ["a"]);
  });

  test("ends its own call at once, and those beside it go on", async () => {
    const assembler = make();
    const [answer, abort] = [deferred(), new AbortController()];
    const first = assembler.assemble("@[a]", { readFile: () => answer.promise });
    const second = assembler.assemble(
      "@[b]",
      { readFile: () => new Promise(() => {}) },
      {
        signal: abort.signal,
      },
    );
    const third = assembler.assemble("@[c]", { readFile: ({ path }) => path });
    await idle();
    abort.abort("no more");
    assert.equal(await second.then(assert.fail, (error) => error), "no more");
    await idle();
    assert.deepEqual(keys((await third).items), ["c"]);
    answer.resolve("A");
    assert.deepEqual(keys((await first).items), ["c", "a"]);
  });

  test("that is none is refused", async () => {
    const signal = (members) => ({
      aborted: false,
      addEventListener() {},
      removeEventListener() {},
      ...members,
    });
    const bad = { code: "invalid_argument", detail: { field: "options.signal" } };
    const assembler = make();
    for (const odd of [
      { addEventListener() {} },
      signal({ removeEventListener: undefined }),
      signal({ aborted: "no" }),
      7,
    ]) {
      await assert.rejects(assembler.assemble("@[a]", makeHost(), { signal: odd }), bad);
    }
  });

  test("does nothing once the call has ended, and is not listened to", async () => {
    const abort = new AbortController();
    const { signal } = abort;
    let listeners = 0;
    for (const [name, change] of [
      ["addEventListener", 1],
      ["removeEventListener", -1],
    ]) {
      const own = signal[name].bind(signal);
      signal[name] = (...given) => {
        listeners += change;
        own(...given);
      };
    }
    const assembler = make();
    await assembler.assemble("@[a]", makeHost({ a: "A" }), { signal });
    assert.equal(listeners, 0);
    abort.abort();
    assert.deepEqual(keys(assembler.items), ["a"]);
  });
});

describe("dispose", () => {
  test("ends the call that is under way, and those that wait", async () => {
    const assembler = make();
    const works = ["assemble", "expandDocument", "prepareSkill"].map((method) =>
      assembler[method]("@[a]", { readFile: silent }),
    );
    await idle();
    assembler.dispose();
    for (const work of works) {
      await assert.rejects(work, { code: "disposed", machine: "ghost_block_assembler" });
    }
  });

  test("makes answers that come later count for nothing", async () => {
    const assembler = make();
    const late = deferred();
    const work = assembler.assemble("@[a]", { readFile: () => late.promise });
    await idle();
    assembler.dispose();
    late.resolve("A");
    await assert.rejects(work, { code: "disposed" });
    await idle();
  });

  test("may be called by the host while it is asked", async () => {
    const assembler = make();
    const asked = [];
    const readFile = ({ path }) => {
      asked.push(path);
      assembler.dispose();
      return "A";
    };
    await assert.rejects(assembler.assemble("@[a] @[b]", { readFile }), { code: "disposed" });
    assert.deepEqual(asked, ["a"]);
  });

  test("leaves what was assembled before it", async () => {
    const assembler = make();
    const prompt = await assembler.assemble("@[a]", makeHost({ a: "A" }));
    assembler.dispose();
    assert.deepEqual(prompt.items, [{ type: "file", key: "a", content: "A", from }]);
    assert.deepEqual({ ...prompt }.items, prompt.items);
  });
});
