// Every example in the documents runs as it stands; those on a provider's SDK run in `tests/js/sdk/newcomer.test.mjs`.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { app } from "./installed-package.mjs";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** Files of a folder and below it, as paths from the root of the repository. */
const filesBelow = (folder, extension) =>
  readdirSync(path.join(root, folder), { recursive: true })
    .filter((file) => file.endsWith(extension))
    .map((file) => path.posix.join(folder, file.split(path.sep).join("/")));

const documents = [
  "README.md",
  "README.zh-CN.md",
  ...filesBelow("docs", ".md"),
  ...filesBelow("js/src/adapters", ".ts"),
  ...filesBelow("js/src/messages", ".ts"),
  ...filesBelow("js/src/terminals/vscode", ".ts"),
  ...filesBelow("js/src/replace", ".ts"),
];

/** Documents that teach by an example, so one without any has lost it. */
const TAUGHT_BY_EXAMPLE = [
  "README.md",
  "README.zh-CN.md",
  ...[
    "loop-detector",
    "history-deduper",
    "ghost-block",
    "terminal-selector",
    "summary-injector",
  ].flatMap((machine) => [`docs/${machine}.md`, `docs/zh-CN/${machine}.md`]),
  ...["agent-session", "adapters"].map((name) => `docs/${name}.md`),
];

for (const document of documents) {
  const text = uncommented(readFileSync(path.join(root, document), "utf8"));
  const examples = [...text.matchAll(/^```js\n(.*?)^```$/gms)].map((match) => match[1]);

  if (TAUGHT_BY_EXAMPLE.includes(document)) {
    test(`${document} has examples`, () => assert.ok(examples.length > 0));
  }

  examples.filter(isOurs).forEach((example, at) => {
    test(`${document}: example ${at + 1} runs`, () => {
      const file = path.join(app, `example-${process.pid}-${path.basename(document)}-${at}.mjs`);
      writeFileSync(file, example);
      try {
        const { status, stdout, stderr } = spawnSync(process.execPath, [file], {
          encoding: "utf8",
          timeout: 300_000,
        });
        assert.equal(status, 0, stderr);
        // A loop's message is too long for a comment, so an example may print it without one.
        if (printsMessageAlone(example)) return assert.match(stdout, /^Stopped: /m);
        const lines = stdout.trimEnd().split("\n");
        const comments = promised(example);
        assert.equal(lines.length, comments.length, stdout);
        lines.forEach((line, n) => assert.ok(isPromised(line, comments[n]), stdout));
      } finally {
        rmSync(file);
      }
    });
  });
}

/** Whether an example needs nothing but the package. */
function isOurs(example) {
  return !/ from "(?!turnkeeper|node:)/.test(example);
}

/** A source file's text with its documentation as lines of their own. */
function uncommented(text) {
  return text.replace(/^ \* ?/gm, "");
}

/**
 * What an example promises to print: the comment after each `console.log`, on its line or on the next
 * one.
 */
function promised(example) {
  const prints = [...example.matchAll(/console\.log\(.*\);\s*\/\/ ([^\n]*)/g)];
  assert.equal(prints.length, example.split("console.log(").length - 1, "each has its comment");
  return prints.map((match) => match[1]);
}

/** Whether an example prints a loop's message with no comment that says what it is. */
function printsMessageAlone(example) {
  return /\breport\.message\b[^/\n]*$(?!\n\s*\/\/ [SW])/m.test(example);
}

/** A comment is the line that is printed, or that and an explanation after a colon. */
function isPromised(line, comment) {
  return line === comment || comment.startsWith(`${line}: `);
}
