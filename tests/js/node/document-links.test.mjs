// Every relative link in the documents leads to a file that exists, and to its heading.

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { packagedFiles, packagedPage } from "../../../js/build/documents.mjs";
import { addresses } from "../../../js/build/manifest.mjs";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const documents = [
  "README.md",
  "README.zh-CN.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "benches/README.md",
  "tests/data/README.md",
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

const packagedPages = packagedFiles.filter((file) => file.endsWith(".md"));
const packaged = (file) => packagedPage(readFileSync(path.join(root, file), "utf8"), file);

for (const page of packagedPages) {
  test(`${page} in the package links to what the package has`, () => {
    const text = packaged(page);
    for (const { target, anchor } of relativeLinks(text)) {
      const file = path.posix.join(path.posix.dirname(page), target);
      assert.ok(packagedFiles.includes(file), `${file} is not there`);
      if (anchor !== undefined) {
        assert.ok(
          anchorsOf(packaged(file)).includes(anchor),
          `${file} has no heading for #${anchor}`,
        );
      }
    }
    assert.doesNotMatch(text, /only in the repository|cargo xtask/);
  });
}

test("the package carries the pages that its README leads to, and none about the repository alone", () => {
  const linked = relativeLinks(packaged("README.md")).map(({ target }) => target);
  assert.ok(linked.length > 8, `${linked}`);
  assert.ok(!packagedFiles.includes("docs/architecture.md"));
  assert.ok(packagedFiles.includes("docs/audit.md"), "--help names it");
});

test("a link to what the package lacks becomes its text, and code stays", () => {
  const text = "[`a`](js/a.ts), [b](docs/install.md), `[c](d.md)`\n\n```md\n[e](f.md)\n```\n";
  assert.equal(packagedPage(text, "README.md"), text.replace("[`a`](js/a.ts)", "`a`"));
  const chinese = "[a](ghost-block.md#b), [c](audit.md)";
  const english = "[a](../ghost-block.md), [c](audit.md)";
  assert.equal(packagedPage(chinese, "docs/zh-CN/install.md"), english);
  const top = "# A\n\n[中文](zh-CN/ghost-block.md)\n\nB\n";
  assert.equal(packagedPage(top, "docs/ghost-block.md"), "# A\n\nB\n");
});

test("a manifest names the repository if that is known, and invents none", () => {
  assert.deepEqual(addresses(undefined), {});
  assert.deepEqual(addresses(""), {});
  const known = addresses("https://forge.example/a/b");
  assert.equal(known.homepage, "https://forge.example/a/b#readme");
  assert.equal(known.repository.url, "git+https://forge.example/a/b.git");
  assert.equal(known.bugs.url, "https://forge.example/a/b/issues");
});

/** Chinese pages, and the English ones that they are counterparts of. */
const CHINESE = documents
  .filter((page) => page.includes("zh-CN"))
  .map((page) => [page, page.replace("zh-CN/", "").replace(".zh-CN", "")]);

for (const [chinese, english] of CHINESE) {
  const [its, other] = [chinese, english].map((page) =>
    readFileSync(path.join(root, page), "utf8"),
  );

  test(`${chinese} has the examples of ${english}, but for what people read in them`, () => {
    assert.deepEqual(examplesOf(its), examplesOf(other));
  });

  test(`${chinese} has the tables of ${english}, row by row, with the same names and options`, () => {
    assert.deepEqual(tablesOf(its), tablesOf(other));
  });
}

test("a row that lacks an option, and an example that does something else, are seen", () => {
  const table = "| a | b |\n|---|---|\n| `x` | 1 |\n";
  assert.notDeepEqual(tablesOf(table), tablesOf(table.replace("`x`", "`y`")));
  const code = (text) => `\`\`\`js\n${text}\n\`\`\`\n`;
  assert.deepEqual(examplesOf(code('ask("好"); // 一')), examplesOf(code('ask("Yes"); // one')));
  assert.notDeepEqual(examplesOf(code('ask("a")')), examplesOf(code('tell("a")')));
});

test("links are found, and those in code are none", () => {
  const text = "[a](b.md#c) and `![x](y.png)`\n\n```js\n[a](d.md)\n```\n\n[e](https://example.com)";
  assert.deepEqual(relativeLinks(text), [{ target: "b.md", anchor: "c" }]);
});

/** The blocks of code of a page, without comments, and without what its texts say. */
function examplesOf(page) {
  return [...page.matchAll(/^(```\w*)\n(.*?)^```$/gms)].map(([, fence, code]) => {
    if (!/js|ts/.test(fence)) return fence;
    const bare = code.replace(/"[^"\n]*"|`[^`]*`/g, '""').replace(/\s*\/\/.*$/gm, "");
    return `${fence} ${bare.replace(/\s+/g, " ").trim()}`;
  });
}

/** The rows of a page's tables: how many cells, and the code in the first one. */
function tablesOf(page) {
  const outsideOfCode = page.replace(/^```.*?^```$/gms, "");
  return [...outsideOfCode.matchAll(/^\|(.*)\|$/gm)].map(([, row]) => {
    const cells = row.split(/(?<!\\)\|/);
    return { cells: cells.length, names: (cells[0].match(/`[^`]+`/g) ?? []).sort() };
  });
}

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
