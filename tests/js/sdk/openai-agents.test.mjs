import assert from "node:assert/strict";
import { test } from "node:test";

import { Agent, Usage, run, setTracingDisabled, tool } from "@openai/agents";

import { load } from "../node/installed-package.mjs";

const { LoopStopped, turnkeeperFilter } = load("turnkeeper/adapters/openai-agents");
setTracingDisabled(true);

/** A model that reads the same log eight times. */
class Reader {
  requests = [];

  async getResponse({ input }) {
    this.requests.push(JSON.stringify(input));
    const status = "completed";
    const content = [{ type: "output_text", text: "Done." }];
    const call = { type: "function_call", callId: `call-${this.requests.length}`, status };
    const output =
      this.requests.length > 8
        ? [{ type: "message", role: "assistant", status, content }]
        : [{ ...call, name: "read_log", arguments: '{"path":"build.log"}' }];
    return { usage: new Usage(), output };
  }
}

const readLog = tool({
  name: "read_log",
  description: "reads",
  strict: false,
  parameters: {
    type: "object",
    properties: { path: { type: "string" } },
    required: [],
    additionalProperties: true,
  },
  execute: () => "Compiling ".repeat(300),
});

function start(model, options) {
  const agent = new Agent({ name: "reader", model, tools: [readLog] });
  const callModelInputFilter = turnkeeperFilter(options);
  return run(agent, "Is the build done?", { callModelInputFilter, maxTurns: 20 });
}

test("an agent of OpenAI's SDK is told of a loop, and gets a long result once", async () => {
  const model = new Reader();
  const { finalOutput } = await start(model);
  assert.equal(finalOutput, "Done.");
  assert.equal(model.requests.length, 9);
  assert.equal(model.requests.findIndex((it) => it.includes("Note by Turnkeeper")) + 1, 4);
  assert.equal(model.requests[3].split("Compiling ".repeat(300)).length - 1, 1);
  assert.match(
    model.requests[3],
    /The same 3000 characters as the result of the call call-1 above/,
  );
});

test("it ends in mode stop, and the history can be sent as it is", async () => {
  const model = new Reader();
  const told = [];
  const onLoopDetected = ({ verdict }) => told.push(verdict.action);
  const options = { mode: "stop", dedupe: false, onLoopDetected };
  await assert.rejects(start(model, options), LoopStopped);
  assert.deepEqual(told, ["nudge", "stop"]);
  assert.equal(model.requests.length, 5);
  assert.equal(model.requests[3].split("Compiling ".repeat(300)).length - 1, 3);
});
