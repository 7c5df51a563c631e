import assert from "node:assert/strict";
import { test } from "node:test";

import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage } from "@langchain/core/messages";
import { createAgent, createMiddleware, tool } from "langchain";

import { load } from "../node/installed-package.mjs";

const { turnkeeperMiddleware } = load("turnkeeper/adapters/langchain");

/** A model that reads the same log eight times. */
class Reader extends BaseChatModel {
  requests = [];

  _llmType() {
    return "reader";
  }

  bindTools() {
    return this;
  }

  async _generate(messages) {
    this.requests.push(JSON.stringify(messages));
    const id = `call-${this.requests.length}`;
    const tool_calls = [{ id, name: "read_log", args: { path: "build.log" } }];
    const message = new AIMessage(this.requests.length > 8 ? "Done." : { content: "", tool_calls });
    return { generations: [{ text: "", message }] };
  }
}

const schema = { type: "object", properties: { path: { type: "string" } } };
const readLog = tool(() => "Compiling", { name: "read_log", description: "reads", schema });

async function run(mode) {
  const model = new Reader({});
  const stops = [];
  const middleware = turnkeeperMiddleware({ mode, onStop: (message) => stops.push(message) });
  const agent = createAgent({
    model,
    tools: [readLog],
    middleware: [createMiddleware(middleware)],
  });
  const prompt = { messages: [{ role: "user", content: "Is the build done?" }] };
  const { messages } = await agent.invoke(prompt, { recursionLimit: 100 });
  const told = model.requests.findIndex((request) => request.includes("Note by Turnkeeper"));
  return { requests: model.requests.length, told: told + 1, stops, last: messages.at(-1).content };
}

test("LangChain's agent is told of a loop, and goes on in mode hint", async () => {
  const { requests, told, stops, last } = await run("hint");
  assert.deepEqual({ requests, told, last }, { requests: 9, told: 4, last: "Done." });
  assert.notEqual(stops.length, 0);
});

test("LangChain's agent ends in mode stop, with the reason as its answer", async () => {
  const { requests, told, stops, last } = await run("stop");
  assert.deepEqual({ requests, told }, { requests: 5, told: 4 });
  assert.deepEqual(stops, [last]);
  assert.match(last, /^Turnkeeper: read_log was called 5 times/);
});
