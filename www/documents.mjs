// The documents as pages, each at its place in the repository: links between them and pictures are as they are written.
// A link to another file of the repository becomes text, since the page does not have that file.

import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";

import { Marked } from "marked";

const IN_THE_ROOT = [
  "README.md",
  "README.zh-CN.md",
  "SECURITY.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "LICENSE",
];

/** Writes the documents of `repo` into `folder`, which is beside the page. */
export function writeDocuments(repo, folder) {
  const inDocs = readdirSync(path.join(repo, "docs"), { recursive: true, withFileTypes: true });
  const files = inDocs
    .filter((entry) => entry.isFile() && /\.(md|png|svg|json)$/.test(entry.name))
    .map((entry) => path.relative(repo, path.join(entry.parentPath, entry.name)));
  const all = new Set([...IN_THE_ROOT, ...files].map((file) => file.split(path.sep).join("/")));
  for (const file of all) {
    const target = path.join(folder, paged(file));
    mkdirSync(path.dirname(target), { recursive: true });
    if (file.endsWith(".md"))
      writeFileSync(target, pageOf(file, readFileSync(path.join(repo, file), "utf8"), all));
    else copyFileSync(path.join(repo, file), target);
  }
}

const paged = (file) => file.replace(/\.md$/, ".html");

function pageOf(file, text, all) {
  const up = "../".repeat(file.split("/").length);
  const title = /^#+ (.*)$/m.exec(text)?.[1].replaceAll(/[`*]/g, "") ?? file;
  const language = file.includes("zh-CN") ? "zh-CN" : "en";
  return `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8" />
    <meta
      http-equiv="Content-Security-Policy"
      content="default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'"
    />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${escaped(title)}</title>
    <link rel="icon" href="${up}icon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="${up}style.css" />
  </head>
  <body>
    <nav class="links"><a href="${up}index.html">Turnkeeper</a></nav>
    <main class="document">
${markedFor(file, all).parse(text)}
    </main>
  </body>
</html>
`;
}

function markedFor(file, all) {
  const ids = new Map();
  return new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const id = idOf(text, ids);
        return `<h${depth} id="${escaped(id)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens);
        if (/^(https?:|#)/.test(href)) return `<a href="${escaped(href)}">${words}</a>`;
        const [target, place] = href.split("#");
        const named = path.posix.normalize(path.posix.join(path.posix.dirname(file), target));
        if (!all.has(named)) return words;
        const id = place === undefined ? "" : `#${place}`;
        return `<a href="${escaped(paged(target) + id)}">${words}</a>`;
      },
      // A reader scrolls a wide table or a long line with the keyboard, too.
      table(token) {
        return `<div class="scrolls" tabindex="0">${tableOf(this.parser, token)}</div>`;
      },
      code({ text }) {
        return `<pre class="box" tabindex="0"><code>${escaped(text)}</code></pre>\n`;
      },
    },
  });
}

function tableOf(parser, { header, rows }) {
  const cells = (row, tag) =>
    row.map(({ tokens }) => `<${tag}>${parser.parseInline(tokens)}</${tag}>`).join("");
  const body = rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("\n");
  return `<table><thead><tr>${cells(header, "th")}</tr></thead><tbody>\n${body}</tbody></table>`;
}

/** The name of a heading in links, as a forge makes it. */
function idOf(text, ids) {
  const id = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_\- ]/gu, "")
    .replaceAll(" ", "-");
  const count = ids.get(id) ?? 0;
  ids.set(id, count + 1);
  return count === 0 ? id : `${id}-${count}`;
}

const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escaped(text) {
  return text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character]);
}
