// The glossary of CONTRIBUTING.md is obeyed, as far as a word is wrong wherever it stands.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** Words that are forbidden, and what to say instead. */
const ANYWHERE = [
  { word: /\bso many\b/i, say: "at most, or this many" },
  { word: /(?<!look-)\bbehind\b(?! (the|a) feature)/i, say: "after" },
];
/** Those that the rules of the loop detector still say in Rust, and that bench rows are named by. */
const OUTSIDE_RUST = [
  { word: /\bprose\b/i, say: "text, or assistant text" },
  { word: /\bequal calls?\b/i, say: "identical call" },
  { word: /\b(calls?|results?|errors?|edits?|messages?|several) in a row\b/i, say: "run" },
];
/** Names of things in code may have other words. */
const IN_DOCUMENTS = [
  { word: /\bjournal\b/i, say: "log" },
  { word: /\bstreaks?\b/i, say: "run" },
  { word: /\binvocations?\b/i, say: "call" },
];

const filesBelow = (folder, pattern) =>
  readdirSync(path.join(root, folder), { recursive: true })
    .map((file) => path.posix.join(folder, file.split(path.sep).join("/")))
    .filter((file) => pattern.test(file) && !/node_modules|generated|\/target\//.test(file));

const documents = [
  ...["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "benches/README.md"],
  ...["docs", "examples"].flatMap((folder) => filesBelow(folder, /\.md$/)),
];
const scripts = ["js/src", "www/src"].flatMap((folder) => filesBelow(folder, /\.tsx?$/));
const rust = filesBelow("src", /\.rs$/);

test("documents keep to the glossary", () => {
  assert.deepEqual(
    documents.flatMap((file) =>
      wrongWords(file, wordsOf(textOf(file)), [...ANYWHERE, ...OUTSIDE_RUST, ...IN_DOCUMENTS]),
    ),
    [],
  );
});

test("scripts keep to the glossary in names, comments and messages", () => {
  assert.deepEqual(
    scripts.flatMap((file) => wrongWords(file, textOf(file), [...ANYWHERE, ...OUTSIDE_RUST])),
    [],
  );
});

test("Rust keeps to the glossary in names, comments and messages", () => {
  assert.deepEqual(
    rust.flatMap((file) => wrongWords(file, textOf(file), ANYWHERE)),
    [],
  );
});

test("a forbidden word is found with its line, and in code of a document it is none", () => {
  const text = wordsOf("At most 20.\n\n```text\nprose\n```\n`prose` and\nprose");
  assert.deepEqual(wrongWords("a.md", text, OUTSIDE_RUST), [
    "a.md:7 says prose: text, or assistant text",
  ]);
});

/** A document's text with its lines, but without code, the glossary itself, and the rules' own words. */
function wordsOf(text) {
  const blank = (match) => match.replace(/[^\n]/g, " ");
  return text
    .replace(/^```.*?^```$/gms, blank)
    .replace(/`[^`\n]*`/g, blank)
    .replace(/^## One word for one thing$.*?^## /gms, blank)
    .replace(/(?<=^\| rule (?:\||\().*\n)(?:\|.*\n)+/gm, blank);
}

function wrongWords(file, text, rules) {
  return text
    .split("\n")
    .flatMap((line, index) =>
      rules
        .filter(({ word }) => word.test(line))
        .map(({ word, say }) => `${file}:${index + 1} says ${word.exec(line)[0]}: ${say}`),
    );
}

function textOf(file) {
  return readFileSync(path.join(root, file), "utf8");
}
