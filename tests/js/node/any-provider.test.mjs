// The deduper and the ghost block take the messages of every provider as they are, and give them back so.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { FORMATS } from "./adapter-formats.mjs";
import { turnkeeper } from "./installed-package.mjs";

const { GhostBlockAssembler, HistoryDeduper, dedupeHistory, restoreHistory, stripGhostBlocks } =
  turnkeeper;
const { stripEnvironment, withEnvironment } = turnkeeper;

const env = (time) => `<environment_details>\n# Time\n${time}\n</environment_details>`;
const FILE = "export const answer = 42;\n".repeat(60);

/** A file that is written twice and read three times, and environments that come twice. */
const history = ({ user, read, called }) => [
  user("Fix it.", env("09:00"), env("09:01")),
  ...read("1", "src/a.ts", FILE),
  ...read("2", "src/a.ts", FILE),
  ...read("3", "src/a.ts", `${FILE}// newer\n`),
  ...called("4", "write_file", { path: "src/b.ts", content: FILE, mode: 420 }, "Created src/b.ts."),
  ...called("5", "write_file", { path: "src/b.ts", content: `${FILE}1\n` }, "Created src/b.ts."),
  user("Go on.", env("09:05")),
];
const OPTIONS = [
  {},
  { files: "newest" },
  { economy: "resume" },
  { files: "newest", writes: true },
  { economy: "compact" },
  { recent: 1, sections: "changed" },
];

/** What a report says that is the same for all: indexes of parts are each provider's own. */
const told = ({ kinds, files, changes, blocksRemoved, charactersSaved }) => ({
  kinds,
  blocksRemoved,
  charactersSaved,
  changes,
  files: files.map(({ part: _, ...file }) => file),
});

for (const [name, format] of Object.entries(FORMATS)) {
  const { plain } = format;
  describe(`a history of ${name}`, () => {
    for (const options of OPTIONS) {
      test(`is repaired like Anthropic's with ${JSON.stringify(options)}, and undone`, () => {
        const given = history(format);
        const { messages, report } = dedupeHistory(given, options);
        const expected = dedupeHistory(history(FORMATS.anthropic), options).report;
        assert.deepEqual(told(report), told(expected));
        assert.equal(report.messagesChanged > 0, true);
        messages.forEach((message, at) => {
          const isChanged = report.changes.some(({ index }) => index === at);
          assert.equal(message !== given[at], isChanged, `message ${at}`);
          assert.equal(message.constructor, given[at].constructor);
          assert.deepEqual(Object.keys(message), Object.keys(given[at]));
        });
        const restored = restoreHistory(messages, report);
        assert.deepEqual(plain(restored), plain(given));
      });
    }

    test("has a line in the arguments of an older write, and nothing else of them changes", () => {
      const given = history(format);
      const { messages, report } = dedupeHistory(given, { files: "newest", writes: true });
      assert.equal(report.kinds.write.items, 1);
      const json = (value) => JSON.stringify(plain(value)).replaceAll("\\\\", "\\");
      const [now, before] = [json(messages[7]), json(given[7])];
      const notice =
        /\[An older copy of src\/b\.ts, 1560 characters, stood here; the newest is in message 9\.\]/;
      assert.match(now, notice);
      assert.equal(
        now.replace(notice, ""),
        before.replace(/(?:export const answer = 42;\\n)+/, ""),
      );
    });

    test("says where each copy came from", () => {
      const { report } = dedupeHistory(history(format), { files: "newest" });
      assert.deepEqual(
        report.files.map(({ from, path }) => [from, path]),
        [
          ["read", "src/a.ts"],
          ["read", "src/a.ts"],
        ],
      );
    });

    test("is repaired message by message", () => {
      const deduper = new HistoryDeduper();
      const pushed = history(format).map((message) => deduper.push(message));
      assert.deepEqual(plain(pushed), plain(dedupeHistory(history(format)).messages));
      deduper.dispose();
    });

    test("loses its ghost blocks, which are read before", async () => {
      const assembler = new GhostBlockAssembler({ root: "/work" });
      const { block } = await assembler.assemble("@[a.ts]", { readFile: async () => "x" });
      const given = [format.user("See it.", block), format.user("Thanks.")];
      const other = new GhostBlockAssembler({ root: "/work" });
      assert.equal(other.scanHistory(given), 1);
      const [bare, same] = stripGhostBlocks(given);
      assert.deepEqual(plain([bare]), plain([format.user("See it.")]));
      assert.equal(same, given[1]);
      assembler.dispose();
      other.dispose();
    });

    test("has an environment in parts of its own kind", () => {
      const field = name === "gemini" ? "parts" : "content";
      const parts = format.user("Go on.", env("09:00"))[field];
      const now = withEnvironment(parts, env("10:00"));
      const expected = format.user("Go on.", `\n\n${env("10:00")}`)[field];
      assert.deepEqual(plain(now), plain(expected));
      assert.deepEqual(plain(stripEnvironment(now)), plain(format.user("Go on.")[field]));
      const bare = format.user("Go on.")[field];
      assert.equal(stripEnvironment(bare), bare);
    });

    test("loses the environments of its user's messages", () => {
      const given = history(format);
      const [bare, same] = stripEnvironment([format.user("Go on.", env("09:00")), given[1]]);
      assert.deepEqual(plain(bare), plain(format.user("Go on.")));
      assert.equal(same, given[1]);
      assert.deepEqual(plain(stripEnvironment(format.user("Go on.", env("09:00")))), plain(bare));
      const all = stripEnvironment(given);
      assert.equal(all.length, given.length);
      assert.doesNotMatch(JSON.stringify(plain(all)), /environment_details/);
    });
  });
}

test("what is in no provider's shape is refused by its place, and has counted nothing", () => {
  const wrong = { code: "unknown_messages", detail: { field: "messages[1]" } };
  const messages = [{ role: "user", content: "a" }, { of: "next year" }];
  const assembler = new GhostBlockAssembler({ root: "/work" });
  for (const take of [
    () => dedupeHistory(messages),
    () => stripEnvironment(messages),
    () => stripGhostBlocks(messages),
    () => assembler.scanHistory(messages),
  ]) {
    assert.throws(take, wrong);
  }
  const deduper = new HistoryDeduper();
  assert.throws(() => deduper.push({}), { code: "unknown_messages", detail: { field: "message" } });
  deduper.push({ role: "user", content: `${env("1")}\n${env("2")}` });
  assert.equal(deduper.report.changes[0].index, 0);
  assembler.dispose();
  deduper.dispose();
});

test("parts of text without a type are read, and come back without one", () => {
  const given = [{ role: "user", content: [{ text: "Go." }, { text: env(1) }, { text: env(2) }] }];
  const { messages, report } = dedupeHistory(given);
  assert.deepEqual(messages, [{ role: "user", content: [{ text: "Go." }, { text: env(2) }] }]);
  assert.equal(messages[0].content[0], given[0].content[0]);
  assert.deepEqual(restoreHistory(messages, report), given);
  const still = [{ role: "user", content: [{ text: "Go." }] }];
  assert.equal(dedupeHistory(still).messages[0], still[0]);
});

test("an injector says the calls that a message of OpenAI's has beside its content", () => {
  const injector = new turnkeeper.SummaryInjector();
  const call = { name: "read_file", arguments: '{"path":"src/lexer.ts"}' };
  const message = {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "c1", type: "function", function: call }],
  };
  injector.startTurn();
  injector.addMessage(message);
  const parts = { capability: "C", direction: "D", workspace: "W" };
  const [said] = injector.buildPrompt("thinking", parts).conversationHistory;
  assert.match(said, /^<assistant>\n.*read_file.*src\/lexer\.ts/s);
  injector.startTurn();
  assert.equal(injector.recall({ keywords: ["lexer"] }), 1);
  assert.deepEqual(injector.buildPrompt("action", parts).conversationHistory, [message]);
  injector.dispose();
});
