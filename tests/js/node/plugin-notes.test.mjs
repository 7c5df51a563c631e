// What watches an agent in its own process: the user's words begin a prompt, and a note stands where it arose, once.

import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, test } from "node:test";

import { load } from "./installed-package.mjs";

const state = mkdtempSync(path.join(tmpdir(), "turnkeeper-plugins-"));
process.on("exit", () => rmSync(state, { recursive: true, force: true }));
process.env.TURNKEEPER_STATE = state;

const { LoopStopped, turnkeeperFilter } = load("turnkeeper/adapters/openai-agents");
const { turnkeeperMiddleware } = load("turnkeeper/adapters/langchain");
const { default: pi } = load("turnkeeper/pi");
const { server } = load("turnkeeper/opencode");

const REMINDER = "<system-reminder>Be brief.</system-reminder>";
const NOTIFICATION = "<task-notification>\n<task-id>b1</task-id>\n</task-notification>";

/** Each has `ask` for a message in the user's name, and `read` for a request that reads the same again: what is said. */
const WATCHES = {
  "LangChain's middleware"(options) {
    const { beforeAgent, beforeModel, wrapToolCall } = turnkeeperMiddleware(options);
    let calls = 0;
    return {
      ask: (content) => beforeAgent({ messages: [{ type: "human", content }] }, {}),
      async read() {
        if (beforeModel.hook({}, {})) return "end";
        const toolCall = { id: `${calls++}`, name: "read_log", args: {} };
        const { content } = await wrapToolCall({ toolCall }, () => ({ content: "Compiling" }));
        return beforeModel.hook({}, {}) ? "end" : content === "Compiling" ? "nothing" : "note";
      },
    };
  },
  "the filter of OpenAI's agents"(options) {
    const filter = turnkeeperFilter(options);
    const input = [];
    return {
      ask(content) {
        input.push({ role: "user", content });
        filter({ modelData: { input } });
      },
      read() {
        const callId = `${input.length}`;
        input.push({ type: "function_call", callId, name: "read_log", arguments: "{}" });
        input.push({ type: "function_call_result", callId, output: "Compiling" });
        try {
          const last = filter({ modelData: { input } }).input.at(-1);
          return last.role === "user" ? "note" : "nothing";
        } catch (error) {
          assert.ok(error instanceof LoopStopped);
          return "end";
        }
      },
    };
  },
  "pi's extension"(options) {
    const on = {};
    pi({ on: (event, handler) => (on[event] = handler) }, options);
    let calls = 0;
    let isOver = false;
    const context = { abort: () => (isOver = true) };
    return {
      ask: (prompt) => on.before_agent_start({ prompt }, context),
      read() {
        on.turn_start({}, context);
        const content = [{ type: "text", text: "Compiling" }];
        const call = { toolCallId: `${calls++}`, toolName: "read_log", input: {} };
        const said = on.tool_result({ ...call, content }, context);
        return isOver ? "end" : said ? "note" : "nothing";
      },
    };
  },
  async "opencode's plugin"(options) {
    let isOver = false;
    const client = { session: { abort: async () => void (isOver = true) } };
    const hooks = await server({ client }, options);
    const sessionID = "s";
    let calls = 0;
    return {
      async ask(text) {
        const parts = [{ type: "text", text }];
        isOver = false;
        await hooks["chat.message"]({ sessionID }, { message: { id: `m${calls}` }, parts });
      },
      async read() {
        const info = { role: "user", sessionID };
        await hooks["experimental.chat.messages.transform"](
          {},
          { messages: [{ info, parts: [] }] },
        );
        const output = { output: "Compiling" };
        const call = { sessionID, tool: "read_log", callID: `${calls++}`, args: {} };
        await hooks["tool.execute.after"](call, output);
        return isOver ? "end" : output.output === "Compiling" ? "nothing" : "note";
      },
    };
  },
};

for (const [name, make] of Object.entries(WATCHES)) {
  describe(name, () => {
    const said = async (options, turns) => {
      const watch = await make(options);
      const all = [];
      for (const turn of turns) {
        if (turn === "read") all.push(await watch.read());
        else await watch.ask(turn);
      }
      return all.join(" ");
    };
    const reads = (count) => Array(count).fill("read");

    test("tells the model at the third equal call, and ends the run at the fifth in mode stop", async () => {
      const turns = ["Is the build done?", ...reads(5)];
      assert.match(await said({ mode: "stop" }, turns), /^nothing nothing note nothing end$/);
      assert.doesNotMatch(await said({ mode: "hint" }, turns), /end/);
      assert.doesNotMatch(await said({ mode: "watch" }, turns), /note|end/);
    });

    test("begins anew with each message of the user", async () => {
      const turns = Array.from({ length: 7 }, (_, n) => [`And now? (${n})`, "read"]).flat();
      assert.equal(await said({ mode: "stop" }, turns), Array(7).fill("nothing").join(" "));
    });

    const readsBetween = (message) => [
      "Go.",
      ...Array.from({ length: 4 }, () => ["read", message]).flat(),
      "read",
    ];

    test("counts on across what the host writes in the user's name", async () => {
      assert.match(await said({ mode: "stop" }, readsBetween(REMINDER)), /note.*end$/);
    });

    test("begins anew with a report that wakes the model", async () => {
      const nothing = Array(5).fill("nothing").join(" ");
      assert.equal(await said({ mode: "stop" }, readsBetween(NOTIFICATION)), nothing);
    });

    test("tells of a stop once", async () => {
      for (const mode of ["hint", "stop"]) {
        const stops = [];
        const onStop = (message) => stops.push(message);
        await said({ mode, onStop }, ["Go.", ...reads(5)]);
        assert.equal(stops.length, 1, mode);
        assert.match(stops[0], /^Turnkeeper: read_log .*was called 5 times/);
      }
    });
  });
}

describe("the filter's note", () => {
  const noteOf = (item) => item.role === "user" && /Turnkeeper/.test(item.content);
  const call = (callId, name, args, output) => [
    { type: "function_call", callId, name, arguments: JSON.stringify(args) },
    { type: "function_call_result", callId, output },
  ];
  const equal = (n) => call(`e${n}`, "read_log", { path: "build.log" }, "Compiling");
  const other = (n) => call(`o${n}`, "read_file", { path: `f${n}.ts` }, `text ${n}`);
  /** What was sent, of a history that grows by a step a time. */
  const requests = (filter, steps) => {
    const input = [{ role: "user", content: "Mend the build." }];
    return steps.map((step) => {
      input.push(...step);
      return filter({ modelData: { input: [...input] } }).input;
    });
  };

  test("follows the result that shows the loop in all later requests, which begin as the one before", () => {
    const steps = [[], equal(0), equal(1), equal(2), other(0), other(1), other(2)];
    const sent = requests(turnkeeperFilter(), steps);
    assert.deepEqual(
      sent.map((items) => items.filter(noteOf).length),
      [0, 0, 0, 1, 1, 1, 1],
    );
    assert.ok(noteOf(sent[3].at(-1)));
    for (const [at, items] of sent.slice(1).entries()) {
      assert.deepEqual(items.slice(0, sent[at].length), sent[at]);
    }
  });

  test("stands after the last of results that came at once", () => {
    const both = [equal(2)[0], other(0)[0], equal(2)[1], other(0)[1]];
    const sent = requests(turnkeeperFilter(), [[], equal(0), equal(1), both]).at(-1);
    assert.ok(noteOf(sent.at(-1)));
    assert.equal(sent.filter(noteOf).length, 1);
  });

  test("goes with its result when the history is shortened, and old results count once", () => {
    const filter = turnkeeperFilter({ mode: "stop" });
    const sent = requests(filter, [[], equal(0), equal(1), equal(2), other(0)]).at(-1);
    const [first] = sent;
    const shortened = [first, ...equal(1), ...other(0)];
    const input = filter({ modelData: { input: shortened } }).input;
    assert.deepEqual(input, shortened);
  });

  test("follows one result of an id that is used again", () => {
    const again = () => call("call_0", "read_log", { path: "build.log" }, "Compiling");
    const steps = [[], again(), again(), again(), other(0), again()];
    const [last] = requests(turnkeeperFilter(), steps).slice(-1);
    assert.equal(last.filter(noteOf).length, 1);
    assert.ok(noteOf(last[7]));
  });
});

describe("the filter hears what is new", () => {
  const user = { role: "user", content: "Is the build done?" };
  const toolCall = (n, args) => {
    const call = { type: "function_call", callId: `c${n}`, name: "read_log" };
    return { ...call, arguments: JSON.stringify(args) };
  };
  const result = (n) => ({
    type: "function_call_result",
    callId: `c${n}`,
    name: "read_log",
    output: "Compiling",
  });
  /** The rounds that a run has, of at most 9, whose requests are cut from its history. */
  const rounds = (cut, { argsOf = () => ({}), agent } = {}) => {
    const filter = turnkeeperFilter({ mode: "stop" });
    const history = [user];
    const request = () => filter({ modelData: { input: cut(history) }, agent });
    request();
    for (let n = 0; n < 9; n++) {
      const made = toolCall(n, argsOf(n));
      agent?.emit("agent_tool_start", {}, {}, { toolCall: made });
      history.push(made, result(n));
      try {
        request();
      } catch {
        return n + 1;
      }
    }
    return 9;
  };

  test("in a history of which the last items alone are sent", () => {
    for (const length of [2, 3, 4, 7]) {
      assert.equal(
        rounds((history) => history.slice(-length)),
        5,
      );
    }
    assert.equal(
      rounds(([first, ...others]) => [first, ...others.slice(-4)]),
      5,
    );
  });

  test("in a history whose old results are shortened", () => {
    const shortened = (history) =>
      history.map((item, at) =>
        item.output && at < history.length - 1 ? { ...item, output: "[cleared]" } : item,
      );
    assert.equal(rounds(shortened), 5);
    assert.equal(rounds(shortened, { argsOf: (n) => ({ page: n }) }), 9);
  });

  test("of results alone, if the agent tells of their calls", () => {
    const last = (history) => history.slice(-1);
    assert.equal(rounds(last, { agent: new EventEmitter() }), 5);
    const argsOf = (n) => ({ page: n });
    assert.equal(rounds(last, { argsOf, agent: new EventEmitter() }), 9);
    // Who knows what was called?
    assert.equal(rounds(last), 9);
  });

  test("and listens to an agent once, however many runs it has", () => {
    const agent = new EventEmitter();
    for (let run = 0; run < 3; run++) rounds((history) => [...history], { agent });
    assert.equal(agent.listenerCount("agent_tool_start"), 1);
  });
});

test("what a host's onStop throws reaches the host", async () => {
  const onStop = () => {
    throw new Error("the host's own");
  };
  const filter = turnkeeperFilter({ onStop });
  const input = Array.from({ length: 5 }, (_, n) => [
    { type: "function_call", callId: `${n}`, name: "read_log", arguments: "{}" },
    { type: "function_call_result", callId: `${n}`, output: "Compiling" },
  ]);
  const ask = () =>
    input.map((_, n) => filter({ modelData: { input: input.slice(0, n + 1).flat() } }));
  assert.throws(ask, /the host's own/);
});
