// Prints how large the package is beside how large it should be:
//   node js/sizes.mjs PACKAGE
// A figure above its target is marked. One above its limit, which is a tenth above what the package has
// today, fails: a guard against accidents, which a change may raise if its commit says why.

import { readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";

import { build } from "esbuild";

const KB = 1024;
const dist = path.join(path.resolve(process.argv[2] ?? "pkg"), "dist");

const wasm = readFileSync(path.join(dist, "turnkeeper.wasm"));
const [defaultNode, defaultBrowser] = [
  await bundled("index.mjs", "node"),
  await bundled("index.browser.mjs", "browser"),
];
const slim = await bundled("slim.browser.mjs", "browser");

const rows = [
  { name: "turnkeeper.wasm", bytes: wasm },
  { name: "turnkeeper.wasm, gzip", bytes: gzip(wasm), target: 400, limit: 830 },
  { name: "default entry for Node", bytes: defaultNode },
  { name: "default entry for Node, gzip", bytes: gzip(defaultNode), target: 560, limit: 1150 },
  { name: "default entry for browsers", bytes: defaultBrowser },
  {
    name: "default entry for browsers, gzip",
    bytes: gzip(defaultBrowser),
    target: 560,
    limit: 1150,
  },
  { name: "slim's JavaScript", bytes: slim },
  { name: "slim's JavaScript, gzip", bytes: gzip(slim) },
];

let beyondLimit = 0;
console.log(line("", "KB", "target", "limit"));
for (const { name, bytes, target, limit } of rows) {
  const size = bytes.length / KB;
  let mark = "";
  if (size > target) mark = "  above its target";
  if (size > limit) {
    mark = "  ABOVE ITS LIMIT";
    beyondLimit += 1;
  }
  console.log(line(name, size.toFixed(1), target ?? "", limit ?? "") + mark);
}
process.exit(beyondLimit > 0 ? 1 : 0);

function line(name, ...figures) {
  return `  ${name.padEnd(34)}${figures.map((figure) => String(figure).padStart(9)).join("")}`;
}

/** An entry as esbuild bundles it into an app, unminified. */
async function bundled(file, platform) {
  const { outputFiles } = await build({
    entryPoints: [path.join(dist, file)],
    bundle: true,
    platform,
    format: platform === "node" ? "cjs" : "esm",
    write: false,
    legalComments: "none",
  });
  return outputFiles[0].contents;
}

function gzip(bytes) {
  return gzipSync(bytes, { level: 9 });
}
