// The documents that the package carries, with links that work there.

import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";

import { root } from "./entries.mjs";

/** Pages about the repository alone. */
const OF_THE_REPOSITORY = ["architecture"];
/** Of the Chinese pages, those for users of agents: all would be more than the tarball may grow by. */
const CHINESE = ["audit", "install", "use-with-your-agent"];
const MARKED = /^<!-- only in the repository -->\n.*?^<!-- \/only in the repository -->\n\n?/gms;
/** Code, in which nothing is a link; or a link or picture, whose text may be code. */
const CODE_OR_LINK = /^```.*?^```$|`[^`\n]*`|!?\[((?:`[^`\n]*`|[^\]`])*)\]\(([^)\s]+)\)/gms;

/** The documents of the package, as paths from its root and from the repository's; photos are too large. */
export const packagedFiles = [
  ...["README.md", "README.zh-CN.md", "CHANGELOG.md"],
  ...["docs", "docs/zh-CN", "docs/images"].flatMap((folder) =>
    readdirSync(path.join(root, folder))
      .filter((name) => /\.(md|svg|schema\.json)$/.test(name))
      .filter((name) => !OF_THE_REPOSITORY.includes(path.parse(name).name))
      .filter((name) => folder !== "docs/zh-CN" || CHINESE.includes(path.parse(name).name))
      .map((name) => `${folder}/${name}`),
  ),
];

export function writeDocuments(out) {
  for (const file of packagedFiles) {
    const text = readFileSync(path.join(root, file), "utf8");
    mkdirSync(path.dirname(path.join(out, file)), { recursive: true });
    writeFileSync(path.join(out, file), file.endsWith(".md") ? packagedPage(text, file) : text);
  }
}

/**
 * A document without what only the repository has: marked parts, and targets of links. A Chinese page's link to one that
 * the package lacks leads to the English page, whose own link to it is left out.
 */
export function packagedPage(text, file) {
  const linked = text.replace(MARKED, "").replace(CODE_OR_LINK, (whole, words, target) => {
    if (target === undefined || /^([a-z]+:|#)/.test(target)) return whole;
    const folder = path.posix.dirname(file);
    const to = path.posix.join(folder, target.replace(/#.*/, ""));
    if (packagedFiles.includes(to)) return whole;
    const english = to.replace("docs/zh-CN/", "docs/");
    const isThere = file.includes("zh-CN") && packagedFiles.includes(english);
    return isThere ? `[${words}](${path.posix.relative(folder, english)})` : words;
  });
  return linked.replace(/^中文\n\n/m, "");
}
