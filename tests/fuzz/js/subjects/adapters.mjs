// The adapters: streams and histories of each provider, whole, mixed and broken. What an event of a stream
// throws when it is read is its provider's, and comes out as it is.

import { load } from "../../../js/node/installed-package.mjs";
import { json, text, word } from "../texts.mjs";
import { lists, objects } from "../saved-samples.mjs";

const NAMES = ["anthropic", "openai", "gemini", "ai-sdk", "vscode"];
const adapters = Object.fromEntries(
  NAMES.map((name) => [name, load(`turnkeeper/adapters/${name}`)]),
);

const copy = (value) => structuredClone(value);
const id = (dice) => dice.pick(["c1", "c2"]);

/** Events as the providers stream them. */
const EVENTS = {
  anthropic: (dice) => {
    const index = dice.below(3);
    return dice.pick([
      { type: "message_start", message: { role: "assistant", content: [] } },
      {
        type: "content_block_start",
        index,
        content_block: { type: "tool_use", id: id(dice), name: word(dice), input: {} },
      },
      { type: "content_block_start", index, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index, delta: { type: "text_delta", text: text(dice) } },
      {
        type: "content_block_delta",
        index,
        delta: { type: "thinking_delta", thinking: text(dice) },
      },
      {
        type: "content_block_delta",
        index,
        delta: { type: "input_json_delta", partial_json: dice.pick(['{"a"', ": 1}", text(dice)]) },
      },
      { type: "content_block_stop", index },
      { type: "message_stop" },
    ]);
  },
  openai: (dice) => {
    const index = dice.below(3);
    const call = {
      index,
      id: id(dice),
      function: { name: word(dice), arguments: dice.pick(['{"a"', ": 1}", text(dice)]) },
    };
    return dice.pick([
      { choices: [{ index: 0, delta: { content: text(dice) } }] },
      { choices: [{ index: 0, delta: { tool_calls: [call] } }] },
      { choices: [{ index: 0, delta: {}, finish_reason: dice.pick(["tool_calls", "stop"]) }] },
      { type: "response.output_text.delta", delta: text(dice) },
      {
        type: "response.output_item.added",
        output_index: index,
        item: {
          type: "function_call",
          id: id(dice),
          call_id: id(dice),
          name: word(dice),
          arguments: "",
        },
      },
      {
        type: "response.function_call_arguments.delta",
        item_id: id(dice),
        output_index: index,
        delta: text(dice),
      },
      {
        type: "response.output_item.done",
        output_index: index,
        item: { type: "function_call", call_id: id(dice), name: word(dice), arguments: text(dice) },
      },
      { type: "response.completed", response: { output: [] } },
    ]);
  },
  gemini: (dice) =>
    dice.pick([
      { type: "content", value: text(dice) },
      {
        type: "tool_call_request",
        value: { callId: id(dice), name: word(dice), args: json(dice) },
      },
      {
        type: "tool_call_response",
        value: { callId: id(dice), responseParts: [{ text: text(dice) }] },
      },
      {
        candidates: [
          {
            content: {
              parts: [
                { text: text(dice), thought: dice.chance(500) },
                { functionCall: { name: word(dice), args: {} } },
              ],
            },
          },
        ],
      },
      { type: "finished", value: "STOP" },
      { type: "loop_detected" },
      { type: "retry" },
    ]),
  "ai-sdk": (dice) =>
    dice.pick([
      { type: "text-delta", id: id(dice), text: text(dice), delta: text(dice) },
      { type: "reasoning-delta", id: id(dice), text: text(dice) },
      { type: "tool-input-start", id: id(dice), toolName: word(dice) },
      { type: "tool-input-delta", id: id(dice), delta: text(dice) },
      {
        type: "tool-call",
        toolCallId: id(dice),
        toolName: word(dice),
        input: dice.chance(500) ? json(dice) : text(dice),
      },
      { type: "tool-result", toolCallId: id(dice), toolName: word(dice), output: json(dice) },
      { type: "tool-error", toolCallId: id(dice), toolName: word(dice), error: new Error("x") },
      { type: "start-step" },
      { type: "finish" },
    ]),
  vscode: (dice) =>
    dice.pick([
      { value: text(dice) },
      { callId: id(dice), name: word(dice), input: json(dice) },
      { callId: id(dice), content: [{ value: text(dice) }] },
    ]),
};

const eventOf = (name) => (dice) =>
  dice.chance(200) ? copy(dice.pick(objects)) : EVENTS[name](dice);

/** A history from the fixtures, with messages left out, doubled or of another provider. */
const history = (dice) => {
  const list = copy(dice.pick(lists)).slice(0, 30);
  return list.flatMap((message) =>
    dice.weighted([
      [20, [message]],
      [2, []],
      [2, [message, copy(message)]],
      [1, [copy(dice.pick(objects))]],
      [1, [json(dice)]],
    ]),
  );
};

const calls = {};
for (const name of NAMES) {
  const { streamAdapter, fromMessages, toMessages } = adapters[name];
  calls[`${name}: events`] = {
    weight: 20,
    handsOn: "traps",
    args: (dice) => dice.list(1, 10, () => eventOf(name)(dice)),
    run: (it, events) => events.map((event) => it[name](event)),
  };
  calls[`${name}: a fresh stream`] = {
    weight: 2,
    run: (it) => void (it[name] = streamAdapter()),
  };
  calls[`${name}: fromMessages`] = {
    args: (dice) => [history(dice)],
    run: (it, given) => fromMessages(...given),
  };
  calls[`${name}: there and back`] = {
    args: (dice) => [history(dice)],
    run: (it, given) => toMessages(fromMessages(...given)),
  };
  calls[`${name}: toMessages`] = {
    weight: 4,
    args: (dice) => [
      dice.list(0, 4, () => ({
        role: dice.pick(["user", "assistant"]),
        content: dice.chance(500) ? text(dice) : [json(dice)],
      })),
    ],
    run: (it, given) => toMessages(...given),
  };
}

export const adapterCalls = {
  name: "adapters",
  options: () => undefined,
  plainOptions: undefined,
  make: () => Object.fromEntries(NAMES.map((name) => [name, adapters[name].streamAdapter()])),
  calls,
};
