// What the files of the package may not contain, because it fails where the package must work.

import { readFileSync } from "node:fs";
import path from "node:path";

const FORBIDDEN = [
  [/\bimport\.meta\b/, "import.meta is empty in a CommonJS bundle"],
  [/(?<![.\w])fetch\(/, "fetch fails over Remote-SSH"],
  [/\brequire\("(?!\.)/, "there is nothing to require outside Node"],
  [/\bfrom "(?!\.)/, "the package has no dependencies"],
  [/^(const .* = )?await\b/m, "top-level await rules out require"],
  [/[^\0-\x7f]/, "one such character doubles the memory that the file takes"],
];

const FILES = ["core", "index", "slim", "sessions"].map((name) => `${name}.mjs`);

export function check(dist) {
  for (const file of FILES) {
    const code = readFileSync(path.join(dist, file), "utf8");
    for (const [pattern, reason] of FORBIDDEN) {
      const found = pattern.exec(code);
      if (!found) continue;
      const line = code.slice(0, found.index).split("\n").length;
      throw new Error(`dist/${file}:${line} has \`${found[0].trim()}\`: ${reason}`);
    }
  }
}
