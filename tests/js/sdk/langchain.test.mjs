import assert from "node:assert/strict";
import { test } from "node:test";

import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage } from "@langchain/core/messages";
import { createAgent, createMiddleware, tool } from "langchain";

import { load } from "../node/installed-package.mjs";

const { turnkeeperMiddleware } = load("turnkeeper/adapters/langchain");

/** A model that reads the same log several times. */
class Reader extends BaseChatModel {
  requests = [];

  constructor(path = "build.log", times = 8) {
    super({});
    this.path = path;
    this.times = times;
  }

  _llmType() {
    return "reader";
  }

  bindTools() {
    return this;
  }

  async _generate(messages) {
    this.requests.push(JSON.stringify(messages));
    const id = `call-${this.requests.length}`;
    const tool_calls = [{ id, name: "read_log", args: { path: this.path } }];
    const message = new AIMessage(
      this.requests.length > this.times ? "Done." : { content: "", tool_calls },
    );
    return { generations: [{ text: "", message }] };
  }
}

const schema = { type: "object", properties: { path: { type: "string" } } };
const LONG = "Compiling a file\n".repeat(200);
const readLog = tool(({ path }) => (path === "long.log" ? LONG : "Compiling"), {
  name: "read_log",
  description: "reads",
  schema,
});

async function run(mode) {
  const model = new Reader();
  const stops = [];
  const verdicts = [];
  const middleware = turnkeeperMiddleware({
    mode,
    onStop: (message) => stops.push(message),
    onLoopDetected: ({ type, verdict: { action, report } }) =>
      verdicts.push([type, action, report.tool]),
  });
  const agent = createAgent({
    model,
    tools: [readLog],
    middleware: [createMiddleware(middleware)],
  });
  const prompt = { messages: [{ role: "user", content: "Is the build done?" }] };
  const { messages } = await agent.invoke(prompt, { recursionLimit: 100 });
  const told = model.requests.findIndex((request) => request.includes("Note by Turnkeeper"));
  const last = messages.at(-1).content;
  return { requests: model.requests.length, told: told + 1, stops, verdicts, last };
}

test("LangChain's agent is told of a loop, and goes on in mode hint", async () => {
  const { requests, told, stops, last } = await run("hint");
  assert.deepEqual({ requests, told, last }, { requests: 9, told: 4, last: "Done." });
  assert.notEqual(stops.length, 0);
});

test("LangChain's agent ends in mode stop, with the reason as its answer", async () => {
  const { requests, told, stops, verdicts, last } = await run("stop");
  assert.deepEqual({ requests, told }, { requests: 5, told: 4 });
  assert.deepEqual(stops, [last]);
  assert.deepEqual(verdicts, [
    ["loop_detected", "nudge", "read_log"],
    ["loop_detected", "stop", "read_log"],
  ]);
  assert.match(last, /^Turnkeeper: read_log .*was called 5 times/);
});

test("LangChain's agent sends a long result once, and its history keeps it", async () => {
  const sent = async (options) => {
    const model = new Reader("long.log", 2);
    const middleware = [createMiddleware(turnkeeperMiddleware(options))];
    const agent = createAgent({ model, tools: [readLog], middleware });
    const { messages } = await agent.invoke({ messages: [{ role: "user", content: "Read it." }] });
    const last = model.requests.at(-1);
    const kept = messages.filter(({ content }) => content === LONG).length;
    return { whole: last.split(JSON.stringify(LONG).slice(1, -1)).length - 1, last, kept };
  };
  const once = await sent({});
  assert.deepEqual({ whole: once.whole, kept: once.kept }, { whole: 1, kept: 2 });
  assert.match(once.last, /The same 3400 characters as the result of the call call-1 above/);
  assert.equal((await sent({ dedupe: false })).whole, 2);
});
