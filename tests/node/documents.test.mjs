// Every example in the documents runs as it stands.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { app } from "./installed-package.mjs";

const documents = [
  "README.md",
  "README.zh-CN.md",
  "pkg-template/README.md",
  "docs/loop-detector.md",
  "docs/history-deduper.md",
  "docs/ghost-block.md",
  "docs/terminal-selector.md",
  "docs/summary-injector.md",
];
const root = fileURLToPath(new URL("../../", import.meta.url));

for (const document of documents) {
  const text = readFileSync(path.join(root, document), "utf8");
  const examples = [...text.matchAll(/^```js\n(.*?)^```$/gms)].map((match) => match[1]);

  test(`${document} has examples`, () => assert.ok(examples.length > 0));

  examples.forEach((example, at) => {
    test(`${document}: example ${at + 1} runs`, () => {
      const file = path.join(app, `example-${process.pid}-${path.basename(document)}-${at}.mjs`);
      writeFileSync(file, example);
      try {
        const { status, stdout, stderr } = spawnSync(process.execPath, [file], {
          encoding: "utf8",
          timeout: 60_000,
        });
        assert.equal(status, 0, stderr);
        if (/\bLoopDetector\b/.test(example)) assert.match(stdout, /Stopped: the model/);
        else assert.deepEqual(stdout.trimEnd().split("\n"), promised(example));
      } finally {
        rmSync(file);
      }
    });
  });
}

/** What the comments behind its `console.log` say that an example prints. */
function promised(example) {
  const prints = [...example.matchAll(/console\.log\(.*\); \/\/ ([^:\n]*)/g)];
  assert.ok(prints.length > 0);
  return prints.map((match) => match[1]);
}
