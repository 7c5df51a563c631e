// Whatever gives way, the files that a history shows can still be told from it: a simulated agent works,
// and a reader that knows nothing of the deduper reads its history before and after.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import fc from "fast-check";

import { knownFiles } from "./history-reader.mjs";
import { turnkeeper } from "./installed-package.mjs";
import { frozen } from "./made-up-histories.mjs";
import { seed } from "./random.mjs";
import { PATHS, ROOT, play } from "./simulated-agent.mjs";

const { HistoryDeduper, dedupeHistory, restoreHistory } = turnkeeper;

/** What the agent does, to files of those paths. */
const work = (does, paths, lines, isShown) =>
  fc.array(
    fc.record({
      does: fc.constantFrom(...does),
      path: fc.constantFrom(...paths),
      to: fc.constantFrom(...paths),
      way: fc.nat(3),
      first: fc.integer({ min: 1, max: lines }),
      count: fc.integer({ min: 1, max: 6 }),
      isShown,
      isCrlf: fc.boolean(),
    }),
    { minLength: 1, maxLength: 30 },
  );
const EDITS = ["insert", "insert", "failed edit", "refused read", "rename"];
const actions = fc.oneof(
  work(["read", "read", "read", "range", "write", "mention", ...EDITS], PATHS, 9, fc.boolean()),
  // No complete copy, so that lines of several reads have to be put together.
  work(["range", "range", "range", "insert", "rename"], PATHS.slice(0, 2), 3, fc.constant(false)),
);
const OPTIONS = [
  { files: "newest" },
  { files: "newest", writes: true },
  { economy: "resume" },
  { economy: "compact" },
  { economy: "compact", targetTokens: 600 },
];

const plain = (value) => JSON.stringify(value);

/** Fails unless all that was known of the files still is. */
function checkKnown(before, after) {
  const now = knownFiles(after);
  for (const [name, file] of knownFiles(before)) {
    const found = now.get(name);
    if (file.whole !== undefined) {
      assert.equal(found?.whole, file.whole, `${name} is as it was`);
      continue;
    }
    for (const [number, line] of file.lines) {
      const lines = found?.whole === undefined ? found?.lines.get(number) : line;
      assert.equal(lines, line, `line ${number} of ${name} is as it was`);
    }
  }
}

/** Calls and results, by their ids, and the roles. */
const skeleton = (messages) =>
  messages.map(({ role, content }) => [
    role,
    typeof content === "string"
      ? 1
      : content.map(({ type, id, tool_use_id }) => [type, id, tool_use_id]),
  ]);

for (const format of ["cline", "anthropic"]) {
  describe(`a simulated agent that writes ${format} (TURNKEEPER_SEED=${seed})`, () => {
    for (const options of OPTIONS) {
      test(`${plain(options)} loses no file, comes to rest, and can be undone`, () => {
        let gone = 0;
        const root = format === "anthropic" ? { root: ROOT } : {};
        const given = { ...options, ...root };
        fc.assert(
          fc.property(actions, (played) => {
            const { messages } = play(played, format);
            frozen(messages);
            const { messages: shortened, report } = dedupeHistory(messages, given);
            checkKnown(messages, shortened);
            gone += report.files.length;
            const isPruned = "economy" in options;
            if (!isPruned) assert.equal(plain(skeleton(shortened)), plain(skeleton(messages)));
            const again = dedupeHistory(shortened, given);
            if (options.targetTokens === undefined) {
              assert.equal(plain(again.messages), plain(shortened), "a second time");
              assert.equal(again.report.messagesChanged, 0);
            }
            const kept = JSON.parse(plain(report));
            assert.equal(plain(restoreHistory(shortened, kept)), plain(messages), "undone");
            const saved = textLength(messages) - textLength(shortened);
            assert.equal(report.charactersSaved, saved, "what the report says went");
            for (const { index, part, newest } of report.files) {
              assert.ok(newest >= index);
              assert.match(plain(shortened[index].content[part]), /\[An older copy of /);
            }
          }),
          { seed, numRuns: 300 },
        );
        assert.ok(gone > 50, `only ${gone} copies gave way`);
      });
    }

    test("message by message, what waits is what a whole history loses", () => {
      fc.assert(
        fc.property(actions, (played) => {
          const { messages } = play(played, format);
          const options = { files: "newest", writes: true, root: ROOT };
          const deduper = new HistoryDeduper(options);
          for (const message of messages) assert.equal(deduper.push(message), message);
          const { report } = dedupeHistory(messages, options);
          const { waiting } = deduper.report;
          assert.equal(waiting.files, report.files.length);
          assert.equal(waiting.characters, report.charactersSaved);
          const warm = dedupeHistory(messages, { ...options, cache: { idleMs: 0 } });
          assert.equal(plain(warm.messages), plain(messages));
          assert.deepEqual(warm.report.waiting, waiting);
          deduper.dispose();
        }),
        { seed, numRuns: 100 },
      );
    });
  });
}

/** How long all texts are, without what says what they are. */
function textLength(value) {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  const { type, ...rest } = value;
  return Object.values(rest).reduce((sum, inner) => sum + textLength(inner), 0);
}
