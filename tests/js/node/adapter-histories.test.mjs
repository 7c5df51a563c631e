// The adapters' histories: through the deduper and back, whatever a provider's messages look like.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { FORMATS } from "./adapter-formats.mjs";
import { load, turnkeeper } from "./installed-package.mjs";

const { GhostBlockAssembler, HistoryDeduper, dedupeHistory, stripGhostBlocks, withEnvironment } =
  turnkeeper;

const block = (time) => `<environment_details>\n# Time\n${time}\n</environment_details>`;

for (const [name, format] of Object.entries(FORMATS)) {
  const { fromMessages, toMessages } = load(`turnkeeper/adapters/${name}`);

  describe(`a history of ${name}`, () => {
    test("comes back as the same objects", () => {
      const history = format.everything();
      const messages = fromMessages(history);
      assert.equal(messages.length, history.length);
      toMessages(messages).forEach((message, at) => assert.equal(message, history[at]));
    });

    test("that needs no repair comes back from the deduper as the same objects", () => {
      const history = [...format.everything(), format.user("Go on.", block("10:00"))];
      const { messages, report } = dedupeHistory(fromMessages(history));
      assert.equal(report.messagesChanged, 0);
      toMessages(messages).forEach((message, at) => assert.equal(message, history[at]));
    });

    test("keeps one block in each message, and nothing else changes", () => {
      const stale = format.user(block("09:00"), "Go on.", block("10:05"));
      const history = [...format.everything(), stale, ...format.everything()];
      const before = format.plain(history);
      const { messages, report } = dedupeHistory(fromMessages(history));
      const repaired = toMessages(messages);
      assert.equal(report.blocksRemoved, 1);
      assert.deepEqual(format.plain(history), before, "the history that is given is left alone");
      const at = format.everything().length;
      repaired.forEach((message, index) => {
        if (index !== at) assert.equal(message, history[index]);
      });
      assert.deepEqual(
        format.plain(repaired[at]),
        format.plain(format.user("Go on.", block("10:05"))),
      );
      const again = dedupeHistory(fromMessages(repaired));
      assert.equal(again.report.messagesChanged, 0);
    });

    test("is repaired message by message as it is whole", () => {
      const history = [
        format.user(block("09:00"), "Go on.", block("10:05")),
        ...format.everything(),
        format.user("And then?", block("10:06")),
        format.user(block("10:06"), "Last."),
      ];
      const whole = toMessages(dedupeHistory(fromMessages(history)).messages);
      const deduper = new HistoryDeduper();
      const one = history.flatMap((message) =>
        toMessages(fromMessages([message]).map((each) => deduper.push(each))),
      );
      deduper.dispose();
      assert.deepEqual(format.plain(one), format.plain(whole));
    });

    test("gets a fresh block in its newest message", () => {
      const message = fromMessages([format.user(block("09:00"), "Go on.")])[0];
      const content = withEnvironment(message.content, block("10:05"));
      const [back] = toMessages([{ ...message, content }], format.vscode);
      const fresh = format.user("Go on.", `\n\n${block("10:05")}`);
      assert.deepEqual(format.plain(back), format.plain(fresh));
    });

    test("loses its ghost blocks", async () => {
      const assembler = new GhostBlockAssembler({ root: "/project" });
      const host = { readFile: async () => "one" };
      const { text } = await assembler.assemble("See @[a.ts].", host);
      assembler.dispose();
      const history = [format.user(text), ...format.everything()];
      const stripped = toMessages(stripGhostBlocks(fromMessages(history)));
      assert.ok(!JSON.stringify(format.plain(stripped)).includes("content_reference"));
      assert.ok(JSON.stringify(format.plain(stripped)).includes("See @[a.ts]."));
      stripped.slice(1).forEach((message, at) => assert.equal(message, history[at + 1]));
    });

    test("has its superseded files replaced by a notice", () => {
      const long = "const one = 1;\n".repeat(20);
      const history = [
        ...format.read("c1", "a.ts", long),
        ...format.read("c2", "a.ts", long),
        format.user("Go on."),
      ];
      const { messages, report } = dedupeHistory(fromMessages(history), { files: "newest" });
      assert.equal(report.files.length, 1);
      const repaired = toMessages(messages);
      const texts = JSON.stringify(format.plain(repaired));
      assert.equal(texts.split("const one").length - 1, 20);
      assert.ok(texts.includes("[An older copy of a.ts, "));
      const changed = repaired.filter((message, at) => message !== history[at]);
      assert.equal(changed.length, 1);
    });

    test("is made of messages that come from elsewhere", () => {
      const picture = Buffer.from("GIF89a").toString("base64");
      const given = [
        { role: "user", content: "Fix it." },
        {
          role: "user",
          content: [
            { type: "text", text: "See this." },
            { type: "image", alt: "a", mediaType: "image/gif", data: picture },
          ],
        },
        {
          role: "assistant",
          content: [
            { type: "text", text: "I look." },
            { type: "tool_use", id: "c1", name: "ls", input: { path: "." } },
          ],
        },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "a.ts" }] },
      ];
      const made = toMessages(given, format.vscode);
      assert.deepEqual(format.plain(made), format.plain(format.elsewhere(picture)));
    });

    test("holds what the adapter does not know, as it is", () => {
      const unknown = [{ of: "next year" }, null, 7, "text"];
      assert.deepEqual(toMessages(fromMessages(unknown)), unknown);
    });
  });
}
