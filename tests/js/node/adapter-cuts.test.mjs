// However a provider cuts an answer into deltas, the same is observed; and text that holds tool calls
// is taken apart without losing a character.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { load } from "./installed-package.mjs";
import { random, seed } from "./random.mjs";

const ROUNDS = 300;

const WORDS = ["look ", "at ", "思考", "😀", "\n", "```", "{", "</", '"', "\\", "a.ts "];
const words = (most) =>
  Array.from({ length: 1 + random(most) }, () => WORDS[random(WORDS.length)]).join("");

/** What a model says in one answer: prose, thinking, calls, some with broken arguments. */
function anAnswer() {
  return Array.from({ length: 1 + random(6) }, (_, n) => {
    const kind = random(4);
    if (kind === 0) return { type: "text", text: words(8) };
    if (kind === 1) return { type: "reasoning", text: words(8) };
    const json = JSON.stringify({ path: words(4), lines: [random(9)], nested: { a: null } });
    const args = random(5) === 0 ? json.slice(0, 1 + random(json.length - 1)) : json;
    return { type: "tool_call", id: `c${n}`, name: "read_file", args };
  });
}

/** A text in random pieces, also in the middle of a surrogate pair; now and then an empty one. */
function pieces(text) {
  const cut = random(8) === 0 ? [""] : [];
  for (let at = 0; at < text.length;) {
    const length = 1 + random(7);
    cut.push(text.slice(at, at + length));
    at += length;
  }
  return cut;
}

/** How a provider streams an answer. */
const PROVIDERS = {
  anthropic: (answer) => [
    { type: "message_start", message: {} },
    ...answer.flatMap((event, index) => {
      const delta = (delta) => ({ type: "content_block_delta", index, delta });
      const block = (content_block, deltas) => [
        { type: "content_block_start", index, content_block },
        ...deltas,
        { type: "content_block_stop", index },
      ];
      switch (event.type) {
        case "text":
          return block(
            { type: "text", text: "" },
            pieces(event.text).map((text) => delta({ type: "text_delta", text })),
          );
        case "reasoning":
          return block(
            { type: "thinking", thinking: "", signature: "" },
            pieces(event.text).map((thinking) => delta({ type: "thinking_delta", thinking })),
          );
        default:
          return block(
            { type: "tool_use", id: event.id, name: event.name, input: {} },
            pieces(event.args).map((partial_json) =>
              delta({ type: "input_json_delta", partial_json }),
            ),
          );
      }
    }),
    { type: "message_delta", delta: { stop_reason: "end_turn" } },
    { type: "message_stop" },
  ],
  "openai, chat": (answer) => {
    const chunk = (delta, finish_reason = null) => ({
      choices: [{ index: 0, delta, finish_reason }],
    });
    let index = -1;
    return [
      chunk({ role: "assistant", content: "" }),
      ...answer.flatMap(({ type, text, id, name, args }) => {
        if (type === "text") return pieces(text).map((content) => chunk({ content }));
        if (type === "reasoning") {
          return pieces(text).map((reasoning_content) => chunk({ reasoning_content }));
        }
        index += 1;
        const begun = { index, id, type: "function", function: { name, arguments: "" } };
        return [
          chunk({ tool_calls: [begun] }),
          ...pieces(args).map((piece) =>
            chunk({ tool_calls: [{ index: begun.index, function: { arguments: piece } }] }),
          ),
        ];
      }),
      chunk({}, "stop"),
    ];
  },
  "openai, responses": (answer) => [
    { type: "response.created", response: {} },
    ...answer.flatMap(({ type, text, id, name, args }, output_index) => {
      if (type === "text") {
        return pieces(text).map((delta) => ({ type: "response.output_text.delta", delta }));
      }
      if (type === "reasoning") {
        return pieces(text).map((delta) => ({ type: "response.reasoning_text.delta", delta }));
      }
      const kind = "response.function_call_arguments";
      const item = { type: "function_call", call_id: id, name };
      return [
        { type: "response.output_item.added", output_index, item: { ...item, arguments: "" } },
        ...pieces(args).map((delta) => ({ type: `${kind}.delta`, output_index, delta })),
        { type: `${kind}.done`, output_index, arguments: args },
        { type: "response.output_item.done", output_index, item: { ...item, arguments: args } },
      ];
    }),
    { type: "response.completed", response: {} },
  ],
};

/** Events with neighbouring deltas of a channel joined. */
function joined(events) {
  const whole = [];
  for (const event of events) {
    const last = whole.at(-1);
    if (event.text !== undefined && last?.type === event.type) last.text += event.text;
    else whole.push({ ...event });
  }
  return whole;
}

describe(`answers in random pieces (seed ${seed})`, () => {
  for (const [name, stream] of Object.entries(PROVIDERS)) {
    const { streamAdapter } = load(`turnkeeper/adapters/${name.split(",")[0]}`);
    test(name, () => {
      for (let round = 0; round < ROUNDS; round++) {
        const answer = anAnswer();
        const adapter = streamAdapter();
        const seen = stream(answer).flatMap((event) => adapter(event) ?? []);
        // A chat completion gives a call once the next one has begun or the answer has ended, so
        // only the order within the calls, and within the rest, is sure.
        const parts = (events) => [
          joined(events.filter(({ type }) => type !== "tool_call")),
          events.filter(({ type }) => type === "tool_call"),
        ];
        const expected = [{ type: "turn_started" }, ...answer, { type: "finished" }];
        if (name === "openai, chat") {
          const [said, calls] = parts(seen);
          const [saidBefore, callsBefore] = parts(expected);
          assert.deepEqual(said, saidBefore, `round ${round}`);
          const byId = (a, b) => a.id.localeCompare(b.id);
          assert.deepEqual(calls.sort(byId), callsBefore.sort(byId), `round ${round}`);
        } else {
          assert.deepEqual(joined(seen), joined(expected), `round ${round}`);
        }
      }
    });
  }
});

test(`text with tool calls comes apart without losing a character (seed ${seed})`, () => {
  const { fromMessages, toMessages } = load("turnkeeper/adapters/anthropic");
  const TAGS = ["<read_file>", "</read_file>", "<path>", "</path>", "<content>", "</content>"];
  const MORE = ["<write_to_file>", "</write_to_file>", "a", "\n", " ", "<", "😀", "<b>"];
  const pool = [...TAGS, ...MORE];
  let calls = 0;
  for (let round = 0; round < 3_000; round++) {
    const text = Array.from({ length: random(24) }, () => pool[random(pool.length)]).join("");
    const [message] = fromMessages([{ role: "assistant", content: text }]);
    if (typeof message.content === "string") {
      assert.equal(message.content, text);
      continue;
    }
    const uses = message.content.filter(({ type }) => type === "tool_use");
    calls += uses.length;
    assert.ok(uses.length > 0);
    for (const { input } of uses) {
      for (const value of Object.values(input)) assert.ok(text.includes(value));
    }
    // A copy has to be put together again.
    const [back] = toMessages([{ ...message, content: [...message.content] }]);
    assert.equal(back.content.map((part) => part.text).join(""), text);
  }
  assert.ok(calls > 50, `${calls} calls`);
});
