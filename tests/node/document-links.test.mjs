// Every relative link in the documents leads to a file that exists, and to its heading.

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { packageReadme } from "../../js/build/manifest.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const documents = [
  "README.md",
  "README.zh-CN.md",
  "CONTRIBUTING.md",
  "benches/README.md",
  "tests/fixtures/README.md",
  "examples/vscode-agent/README.md",
  ...readdirSync(path.join(root, "docs"), { recursive: true })
    .filter((file) => file.endsWith(".md"))
    .map((file) => `docs/${file.split(path.sep).join("/")}`),
];

for (const document of documents) {
  test(`${document} links to what exists`, () => {
    const text = readFileSync(path.join(root, document), "utf8");
    for (const { target, anchor } of relativeLinks(text)) {
      const file = path.join(root, path.dirname(document), target);
      assert.ok(existsSync(file), `${target} is not there`);
      if (anchor !== undefined && file.endsWith(".md")) {
        const anchors = anchorsOf(readFileSync(file, "utf8"));
        assert.ok(anchors.includes(anchor), `${target} has no heading for #${anchor}`);
      }
    }
  });
}

test("the package's README is the repository's, without what only the repository has", () => {
  const readme = packageReadme(readFileSync(path.join(root, "README.md"), "utf8"));
  assert.deepEqual(relativeLinks(readme), []);
  assert.doesNotMatch(readme, /only in the repository|cargo xtask/);
  assert.match(readme, /^# Turnkeeper\n\nIf you ship/);
  assert.match(readme, /```js\n/);
});

test("links are found, and those in code are none", () => {
  const text = "[a](b.md#c) and `![x](y.png)`\n\n```js\n[a](d.md)\n```\n\n[e](https://example.com)";
  assert.deepEqual(relativeLinks(text), [{ target: "b.md", anchor: "c" }]);
});

/** The links of a Markdown text that lead to other files. */
function relativeLinks(text) {
  const targets = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1]);
  return targets
    .filter((target) => !/^([a-z]+:|#)/.test(target))
    .map((target) => {
      const [file, anchor] = target.split("#");
      return { target: file, anchor };
    });
}

/** The names by which GitHub links to the headings of a Markdown text. */
function anchorsOf(text) {
  const headings = [...text.replace(/^```.*?^```$/gms, "").matchAll(/^#+ (.*)$/gm)];
  return headings.map(([, heading]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/\s/g, "-"),
  );
}

/** Without fenced and inline code. A link's text may be code, its target cannot. */
function withoutCode(text) {
  return text.replace(/^```.*?^```$/gms, "").replace(/`[^`\n]*`/g, "");
}
