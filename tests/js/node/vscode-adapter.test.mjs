import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { FORMATS } from "./adapter-formats.mjs";
import { load, turnkeeper } from "./installed-package.mjs";
import { collect, source, watched } from "./streams.mjs";

const { LoopDetector, withEnvironment } = turnkeeper;
const { fromMessages, streamAdapter, toMessages } = load("turnkeeper/adapters/vscode");
const { vscode } = FORMATS.vscode;

const text = (value) => new vscode.LanguageModelTextPart(value);
const call = (input) => new vscode.LanguageModelToolCallPart("c1", "read_file", input);

describe("parts of a response's stream", () => {
  const { LanguageModelDataPart, LanguageModelThinkingPart, LanguageModelToolResultPart } = vscode;
  const table = [
    [text("Hello."), { type: "text", text: "Hello." }],
    [text(""), undefined],
    [new LanguageModelThinkingPart("Hm."), { type: "reasoning", text: "Hm." }],
    [new LanguageModelThinkingPart(["H", "m."], "t1"), { type: "reasoning", text: "Hm." }],
    [new LanguageModelThinkingPart("", "t1", { done: true }), undefined],
    [
      call({ path: "a.ts" }),
      { type: "tool_call", id: "c1", name: "read_file", args: { path: "a.ts" } },
    ],
    [
      new LanguageModelToolResultPart("c1", [text("a"), text("b")]),
      { type: "tool_result", id: "c1", output: "a\nb" },
    ],
    [
      new LanguageModelToolResultPart("c1", [text("no")], true),
      { type: "tool_result", id: "c1", output: "no", isError: true },
    ],
    [new LanguageModelDataPart(new Uint8Array([1]), "image/png"), undefined],
    [{ of: "next year" }, { type: "other" }],
    [{ value: { node: {} } }, { type: "other" }],
    [null, { type: "other" }],
    ["text", { type: "other" }],
  ];
  for (const [part, expected] of table) {
    const name = `${part?.constructor.name} ${JSON.stringify(part)} is ${JSON.stringify(expected)}`;
    test(name, () => {
      const adapter = streamAdapter();
      adapter(text("The first part starts the turn."));
      assert.deepEqual(adapter(part), expected);
    });
  }

  test("start one turn, with the first that says something", () => {
    const adapter = streamAdapter();
    const all = [{}, text(""), text("a"), text("b")].flatMap((part) => adapter(part) ?? []);
    assert.deepEqual(
      all.map(({ type }) => type),
      ["other", "turn_started", "text", "text"],
    );
  });

  test("hold the fourth read_file of a preview model back", async () => {
    const parts = ["a", "b", "c", "d", "e"].map((path) => call({ path }));
    const detector = new LoopDetector({ profile: "standard" });
    detector.startPrompt("p1", { model: "gemini-3-pro-preview" });
    const guarded = watched(source(parts), detector, { adapter: streamAdapter() });
    assert.deepEqual(await collect(guarded), parts.slice(0, 3));
    assert.equal(guarded.told[0].verdict.report.type, "same_tool_different_arguments");
  });
});

describe("chat messages", () => {
  test("keep their classes where something has changed", () => {
    const history = [
      new vscode.LanguageModelChatMessage(1, [text("Go on."), text("<a>\n1\n</a>")], "Ada"),
    ];
    const [message] = fromMessages(history);
    const content = withEnvironment(message.content, "2", { tags: ["a"] });
    const [back] = toMessages([{ ...message, content }], vscode);
    assert.ok(back instanceof vscode.LanguageModelChatMessage);
    assert.equal(back.name, "Ada");
    assert.equal(back.content[0], history[0].content[0]);
    assert.ok(back.content[1] instanceof vscode.LanguageModelTextPart);
    assert.equal(back.content[1].value, "\n\n<a>\n2\n</a>");
    assert.equal(history[0].content.length, 2);
  });

  test("that are new need the module, and say so", () => {
    const wanted = [
      [{ role: "user", content: "a" }, undefined, "LanguageModelTextPart"],
      [{ role: "user", content: [] }, undefined, "LanguageModelChatMessage"],
      [
        { role: "user", content: [{ type: "image", mediaType: "image/png", data: "" }] },
        { ...vscode, LanguageModelDataPart: undefined },
        "LanguageModelDataPart",
      ],
    ];
    for (const [message, module, name] of wanted) {
      assert.throws(() => toMessages([message], module), {
        code: "invalid_argument",
        detail: { field: "vscode" },
        message: new RegExp(name),
      });
    }
  });
});
