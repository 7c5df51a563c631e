// Values whose getters, proxies and properties try to pass for something else: the error is typed and
// says who refused, and the object that was given them goes on working.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { describe, test } from "node:test";

import { assertTyped, revoked } from "./hostile-values.mjs";
import { app, turnkeeper } from "./installed-package.mjs";

const {
  AgentSession,
  GhostBlockAssembler,
  HistoryDeduper,
  LoopDetector,
  SummaryInjector,
  TerminalSelector,
  TurnStack,
  TurnkeeperError,
  canChangeDirectory,
  dedupeHistory,
  stripEnvironment,
  stripGhostBlocks,
  withEnvironment,
} = turnkeeper;

const DEDUPER = "history_deduper";
const env = (n) => `<environment_details>\n${n}\n</environment_details>`;
const text = (words) => ({ type: "text", text: words });
const twice = () => ({ role: "user", content: [text(env(1)), text(env(2))] });

/** An object whose property throws that value when it is read. */
const throws = (name, value, object = {}) =>
  Object.defineProperty(object, name, {
    enumerable: true,
    get() {
      throw value;
    },
  });

function overflow() {
  return overflow() + 1;
}
const overflowing = (name, object = {}) =>
  Object.defineProperty(object, name, { enumerable: true, get: overflow });

describe("a getter may throw", () => {
  const core = { code: "poisoned", machine: "loop_detector", message: "forged", field: "x" };
  const hostile = {
    "what looks like an error of the core": core,
    "what looks like a trap": new WebAssembly.RuntimeError("unreachable"),
    "what looks like a stack that ran out": new RangeError("Maximum call stack size exceeded"),
    "a proxy that was revoked": revoked(),
    undefined: undefined,
  };
  for (const [what, value] of Object.entries(hostile)) {
    test(what, () => {
      const refuses = (call, machine = DEDUPER) =>
        assertTyped(call, "invalid_argument", undefined, machine);
      const deduper = new HistoryDeduper({ embedded: true });
      for (const message of [
        throws("role", value),
        throws("content", value, { role: "user" }),
        { role: "user", content: [text(env(1)), throws("type", value), text(env(2))] },
      ]) {
        refuses(() => deduper.push(message));
        refuses(() => dedupeHistory([twice(), message]));
        assert.equal(deduper.push(twice()).content.length, 1);
      }
      const content = [text(env(1)), throws("type", value)];
      refuses(() => withEnvironment(content, "x"));
      refuses(() => withEnvironment("x", "y", throws("onExisting", value)));
      refuses(() => stripEnvironment(content));
      refuses(() => stripEnvironment("x", throws("tags", value)));
      const stack = new TurnStack();
      refuses(() => stack.push({ userContent: content, includeFileDetails: true }));
      assert.equal(stack.length, 0);
      refuses(() => stripGhostBlocks([throws("role", value)]), "ghost_block_assembler");
      refuses(() => new GhostBlockAssembler(throws("root", value)), "ghost_block_assembler");
      refuses(() => new AgentSession(throws("loop", value)), "agent_session");
      refuses(() => canChangeDirectory("/a", "/b", throws("platform", value)), "terminal_selector");
      assert.deepEqual(stripEnvironment([text(env(1)), text("x")]), [text("x")]);
    });
  }

  test("because its own stack ran out", () => {
    const deduper = new HistoryDeduper();
    for (const message of [overflowing("role"), overflowing("content", { role: "user" })]) {
      assertTyped(() => deduper.push(message), "invalid_argument", "message", DEDUPER);
    }
    assert.equal(deduper.push(twice()).content.length, 1);
    const detector = new LoopDetector();
    const call = { type: "tool_call", name: "x", args: overflowing("a") };
    assert.equal(detector.observe(call).action, "ok", "what can be read of the arguments counts");
    assert.equal(detector.observe({ type: "finished" }).action, "ok");
  });
});

describe("an array", () => {
  const species = (list, made) => {
    list.constructor = { [Symbol.species]: made };
    return list;
  };

  test("may make others of a class of its own", () => {
    function Refusing() {
      throw new Error("nobody makes one of these");
    }
    const messages = [twice(), { role: "assistant", content: "x" }];
    const expected = dedupeHistory(messages).messages;
    assert.deepEqual(dedupeHistory(species([...messages], Refusing)).messages, expected);
    const content = species([text(env(1)), text("x"), text(env(2))], Refusing);
    assert.equal(new HistoryDeduper().push({ role: "user", content }).content.length, 2);
    const block = stripGhostBlocks(species([{ role: "user", content: "x" }], Refusing));
    assert.deepEqual(block, [{ role: "user", content: "x" }]);
  });

  test("may be a proxy that was revoked", () => {
    const { proxy, revoke } = Proxy.revocable([], {});
    revoke();
    const refuses = (call, machine) => assertTyped(call, "invalid_argument", undefined, machine);
    refuses(() => dedupeHistory(proxy), DEDUPER);
    refuses(() => withEnvironment(proxy, "x"), DEDUPER);
    refuses(() => stripEnvironment(proxy), DEDUPER);
    refuses(() => stripGhostBlocks(proxy), "ghost_block_assembler");
    refuses(() => new LoopDetector().observeAll(proxy), "loop_detector");
    const turn = { prompt: "x" };
    assert.throws(
      () => new SummaryInjector().storeSummary({ summary: "x", insights: proxy }),
      TurnkeeperError,
    );
    assert.equal(turn.prompt, "x");
  });

  test("of tags may have holes, whatever tags were used before", () => {
    stripEnvironment("x", { tags: ["a", "b"] });
    const tags = ["a", ,];
    tags.length = 2;
    for (const call of [
      () => stripEnvironment("x", { tags }),
      () => withEnvironment("x", "y", { tags }),
      () => new TurnStack({ tags }),
    ]) {
      assertTyped(call, "invalid_config", undefined, DEDUPER);
    }
  });
});

describe("a snapshot", () => {
  const snapshots = [
    [LoopDetector, new LoopDetector().snapshot()],
    [SummaryInjector, new SummaryInjector().snapshot()],
    [TerminalSelector, new TerminalSelector({ platform: "posix" }).snapshot()],
  ];
  for (const [Class, bytes] of snapshots) {
    test(`of ${Class.name} is read as it is, whatever its length says`, () => {
      for (const length of [0, 3, 2 ** 32, -1, Number.NaN]) {
        const lying = Object.defineProperty(new Uint8Array(bytes), "length", { value: length });
        assert.ok(Class.restore(lying) instanceof Class);
      }
    });

    test(`of ${Class.name} may resist being read`, () => {
      const { buffer } = new Uint8Array(bytes);
      const detached = new Uint8Array(buffer);
      structuredClone(buffer, { transfer: [buffer] });
      for (const wrong of [
        throws("BYTES_PER_ELEMENT", new Error("no"), new Uint8Array(bytes)),
        revoked(),
        detached,
        new DataView(new ArrayBuffer(8)),
      ]) {
        assert.throws(() => Class.restore(wrong), TurnkeeperError);
      }
    });
  }
});

describe("a pattern", () => {
  test("may be an object that is written like one and is none", () => {
    for (const previewModel of [
      { source: "(", flags: "" },
      { source: "a", flags: "q" },
    ]) {
      assertTyped(() => new LoopDetector({ previewModel }), "invalid_config", "previewModel");
    }
  });

  const options = (previewModelPattern) => ({ previewModel: previewModelPattern });

  test("may be forged", () => {
    const own = (source) => Object.defineProperty(/x/, "source", { value: source });
    const forged = Object.create(RegExp.prototype, {
      source: { value: "(" },
      flags: { value: "" },
    });
    for (const pattern of [own("("), own(7), Object.create(RegExp.prototype), forged]) {
      try {
        new LoopDetector(options(pattern)).dispose();
      } catch (error) {
        assert.ok(error instanceof TurnkeeperError, String(error?.stack));
      }
    }
  });
});

test("a key that everything inherits is nobody's option", () => {
  Object.prototype.inherited = 1;
  try {
    const assembler = { root: "/work" };
    const session = new AgentSession({ assembler, terminals: { platform: "posix" } });
    session.beginTurn({ prompt: "x" });
    session.dispose();
    for (const object of [
      new LoopDetector({ profile: "standard" }),
      new GhostBlockAssembler(assembler),
      new HistoryDeduper({ embedded: true }),
      new SummaryInjector({}),
      new TerminalSelector({ platform: "posix" }),
      new TurnStack({ tags: ["a"] }),
    ]) {
      object.dispose();
    }
    const selector = new TerminalSelector({ platform: "posix" });
    selector.register({ id: 1, provider: "p", shell: "bash", workingDirectory: "/a" });
    assert.equal(withEnvironment("x", "y", { tags: ["a"] }), "x\n\n<a>\ny\n</a>");
    const events = (async function* () {})();
    const detector = new LoopDetector();
    turnkeeper.guardStream(events, detector, { promptId: "p" });
  } finally {
    delete Object.prototype.inherited;
  }
});

test("what everything inherits is no version of a file, no field and no argument", async () => {
  const polluted = { version: 7, tags: ["x"], offset: 3 };
  for (const [name, value] of Object.entries(polluted)) {
    Object.prototype[name] = value;
    try {
      const assembler = new GhostBlockAssembler({ root: "/work" });
      for (const answer of ["text", { content: "text" }]) {
        const { items } = await assembler.assemble("@[a.ts]", { readFile: async () => answer });
        assert.equal(items[0].content, "text");
      }
      const selector = new TerminalSelector({ platform: "posix" });
      selector.register({ id: 1, provider: "p" });
      selector.update(1, { busy: true });
      selector.select({ workingDirectory: "/a", provider: "p" });
      const read = { type: "tool_use", id: "1", name: "read_file", input: { path: "a.ts" } };
      const shown = { type: "tool_result", tool_use_id: "1", content: "line\n".repeat(50) };
      const history = [read, shown, { ...read, id: "2" }, { ...shown, tool_use_id: "2" }].map(
        (part) => ({ role: part.type === "tool_use" ? "assistant" : "user", content: [part] }),
      );
      assert.equal(dedupeHistory(history, { files: "newest" }).report.files.length, 1);
    } finally {
      delete Object.prototype[name];
    }
  }
});

test("the package can be loaded where all objects have a key", () => {
  const names = ["turnkeeper", "turnkeeper/sessions", "turnkeeper/adapters/openai"];
  const program = `
    Object.prototype.inherited = "a key";
    for (const name of ${JSON.stringify(names)}) {
      for (const key of Object.keys(require(name))) console.log(key);
    }`;
  const printed = execFileSync(process.execPath, ["-e", program], { cwd: app, encoding: "utf8" });
  assert.ok(printed.includes("LoopDetector") && printed.includes("readSession"));
  assert.ok(!printed.includes("inherited"));
});
