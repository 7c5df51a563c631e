// Tool calls in the model's text: the adapter's messages and the events of a history are one reading.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";

import { load } from "./installed-package.mjs";
import { random, seed } from "./random.mjs";

const { eventsOf } = load("turnkeeper/sessions");
const { fromMessages, toMessages } = load("turnkeeper/adapters/anthropic");

const file = new URL("../../data/calls-in-text.json", import.meta.url);
const cases = JSON.parse(readFileSync(file, "utf8"));

/** The parts of the adapter's message, as events. */
function partEvents(content) {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return content
    .map(({ type, text, name, input }) =>
      type === "tool_use" ? { type: "tool_call", name, args: input } : { type, text },
    )
    .filter(({ type, text }) => type !== "text" || text.trim() !== "");
}

describe("a call in the text is found where the agent finds it", () => {
  for (const { name, text, events } of cases) {
    test(name, () => {
      const message = { role: "assistant", content: text };
      assert.deepEqual(eventsOf([message]), [{ type: "turn_started" }, ...events]);
      const [converted] = fromMessages([message]);
      assert.deepEqual(partEvents(converted.content), events);
      assert.equal(toMessages([converted])[0], message);
    });
  }

  test("and no tool is known that is not asked for", () => {
    const content = "<get_weather><city>Rome</city></get_weather>";
    const [message] = fromMessages([{ role: "assistant", content }], { xmlTools: ["get_weather"] });
    const { name, input } = message.content[0];
    assert.deepEqual([name, input], ["get_weather", { city: "Rome" }]);
    assert.equal(fromMessages([{ role: "assistant", content }])[0].content, content);
  });

  test("unless the first call of the conversation is a part, or the message has one", () => {
    const text = "It writes <read_file><path>a</path></read_file>.";
    const inText = { role: "assistant", content: text };
    const native = { type: "tool_use", id: "c1", name: "ls", input: {} };
    const asPart = { role: "assistant", content: [{ type: "text", text }, native] };
    const called = (history) => eventsOf(history).filter(({ type }) => type === "tool_call");
    const parts = (history) =>
      fromMessages(history)
        .flatMap(({ content }) => (typeof content === "string" ? [] : content))
        .filter(({ type }) => type === "tool_use");
    for (const [history, names] of [
      [[asPart], ["ls"]],
      [[asPart, inText], ["ls"]],
      [
        [inText, asPart, inText],
        ["read_file", "ls", "read_file"],
      ],
    ]) {
      assert.deepEqual(
        called(history).map(({ name }) => name),
        names,
      );
      assert.deepEqual(
        parts(history).map(({ name }) => name),
        names,
      );
    }
    assert.equal(fromMessages([asPart])[0], asPart);
  });

  test("whatever pieces a text is put together from, and none of it is lost", () => {
    const pieces = ["<read_file>", "</read_file>", "<path>", "</path>", "<write_to_file>", "\n"];
    pieces.push("</write_to_file>", "<content>", "</content>", "a", " ", "<", "</", "<list_files>");
    for (let round = 0; round < 2_000; round += 1) {
      const length = random(14);
      const text = Array.from({ length }, () => pieces[random(pieces.length)]).join("");
      const message = { role: "assistant", content: text };
      const [converted] = fromMessages([message]);
      const events = eventsOf([message]).slice(1);
      const parts = partEvents(converted.content);
      if (text !== "") assert.deepEqual(parts, events, `${JSON.stringify(text)}, seed ${seed}`);
      // Each part holds what it was made of, so that a message that changes keeps its text.
      const back = toMessages([{ ...converted, content: [...[converted.content].flat()] }])[0];
      const texts = back.content.map((part) => part.text ?? part).join("");
      assert.equal(texts, text);
    }
  });

  test("in a time that grows with the text, however many are left open", () => {
    const hostile = [
      "<write_to_file><content>",
      "<write_to_file><content></content>",
      "<read_file><path></path>",
      "<read_file>",
      "<read_file></path>",
      "</content></write_to_file>",
      "<",
    ];
    for (const piece of hostile) {
      const events = eventsOf([{ role: "assistant", content: piece.repeat(100_000) }]);
      assert.ok(events.length <= 3, piece);
    }
    const closed = "<read_file><path>a</path></read_file>".repeat(20_000);
    assert.equal(eventsOf([{ role: "assistant", content: closed }]).length, 20_001);
  });
});
