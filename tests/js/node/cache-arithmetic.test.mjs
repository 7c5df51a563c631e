// The arithmetic of docs/history-deduper.md, done again on the session that it speaks of.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { problems } from "./history-checker.mjs";
import { turnkeeper } from "./installed-package.mjs";

const { dedupeHistory } = turnkeeper;

const root = new URL("../../../", import.meta.url);
const read = (file) => readFileSync(new URL(file, root), "utf8");
const messages = JSON.parse(read("tests/data/histories/resumed-task.json"));
const document = read("docs/history-deduper.md");

/** A message's text as a provider reads it, and an estimate of its tokens; there is no Han in it. */
const tokens = (message) => Math.ceil(JSON.stringify(message.content).length / 4);
const sum = (list) => list.reduce((all, message) => all + tokens(message), 0);
const CACHED = 0.1;

/** One line of the table: what goes, and what it costs while the cache is warm. */
function line(options) {
  const { messages: repaired } = dedupeHistory(messages, options);
  const first = repaired.findIndex((message, index) => message !== messages[index]);
  const saved = sum(messages) - sum(repaired);
  const anew = sum(repaired.slice(first));
  const requests = Math.ceil((anew * (1 - CACHED)) / (saved * CACHED));
  return { saved, anew, requests };
}

const rows = [
  ["nothing more than duplicates", {}],
  ['`sections: "changed"`', { sections: "changed" }],
  ["`recent: 3`", { recent: 3 }],
  ['`files: "newest"`', { files: "newest" }],
  ['`economy: "resume"`', { economy: "resume" }],
];

for (const [name, options] of rows) {
  test(`the row ${name}`, () => {
    const { saved, anew, requests } = line(options);
    const row = `| ${name} | ${[saved, anew, requests].map((n) => n.toLocaleString("en")).join(" | ")} |`;
    assert.ok(document.includes(row), `the document lacks\n${row}`);
  });
}

test("the session's size", () => {
  const size = `${messages.length} messages, ${sum(messages).toLocaleString("en")} tokens`;
  assert.ok(document.includes(size), `the document lacks\n${size}`);
});

test("the session keeps every promise", () => {
  const { messages: repaired, report } = dedupeHistory(messages);
  assert.deepEqual(problems(messages, repaired, report), []);
  assert.equal(report.blocksRemoved, 2);
});
