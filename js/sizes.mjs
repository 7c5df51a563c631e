// Prints how large the package is beside how large it may be:
//   node js/sizes.mjs PACKAGE
// and fails if a figure is over its budget.

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
  ["turnkeeper.wasm", wasm, undefined],
  ["turnkeeper.wasm, gzip", gzip(wasm), 120],
  ["default entry for Node", defaultNode, undefined],
  ["default entry for Node, gzip", gzip(defaultNode), 170],
  ["default entry for browsers", defaultBrowser, undefined],
  ["default entry for browsers, gzip", gzip(defaultBrowser), 170],
  ["slim's JavaScript", slim, 64],
  ["slim's JavaScript, gzip", gzip(slim), undefined],
];

let over = 0;
console.log(`  ${"".padEnd(34)}${"KB".padStart(8)}${"at most".padStart(10)}`);
for (const [name, bytes, budget] of rows) {
  const size = bytes.length / KB;
  const broken = budget !== undefined && size > budget;
  if (broken) over += 1;
  const limit = budget === undefined ? "" : String(budget);
  console.log(
    `  ${name.padEnd(34)}${size.toFixed(1).padStart(8)}${limit.padStart(10)}${broken ? "  OVER" : ""}`,
  );
}
process.exit(over > 0 ? 1 : 0);

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
