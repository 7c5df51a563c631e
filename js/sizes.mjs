// Prints how large the package is beside how large it may be:
//   node js/sizes.mjs PACKAGE TARBALL
// A figure above its target is marked. One above its limit fails: a target that is met is its own limit, and
// that of one which is not is a little above today's figure. Whoever moves one says in the commit what was
// bought for it.

import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";

import { build } from "esbuild";

const KB = 1024;
const folder = path.resolve(process.argv[2] ?? "pkg");
const tarball = process.argv[3] && path.resolve(process.argv[3]);
const dist = path.join(folder, "dist");

/**
 * What each entry with a module of its own is imported for, the target of its module and its limit if that is
 * another, and the target of a bundle with that name alone.
 */
const MACHINES = {
  "loop-detector": { name: "LoopDetector", wasm: 200, limit: 213, bundle: 330 },
  "ghost-block": { name: "GhostBlockAssembler" },
  "history-deduper": { name: "dedupeHistory" },
  "summary-injector": { name: "SummaryInjector" },
  "terminal-selector": { name: "pathRelation", bundle: 180 },
  peers: { name: "LoopDetector" },
  sessions: { name: "readSession", wasm: 120, limit: 240 },
};

const rows = [
  ["all machines: Wasm, gzip", gzip(readFileSync(path.join(dist, "turnkeeper.wasm"))), 500, 602],
];
// The default entry has the detector's and this one.
for (const [machine, { wasm, limit }] of Object.entries({ others: {}, ...MACHINES })) {
  const file = path.resolve(dist, "../../js/glue", machine, "turnkeeper_bg.wasm");
  if (existsSync(file))
    rows.push([`${machine}: Wasm, gzip`, gzip(readFileSync(file)), wasm, limit]);
}
rows.push(["a bundle of all five, gzip", await bundled("turnkeeper", "*"), 800]);
for (const [machine, { name, bundle }] of Object.entries(MACHINES)) {
  rows.push([
    `a bundle of ${machine === "peers" ? "peers" : name}, gzip`,
    await bundled(`turnkeeper/${machine}`, name),
    bundle,
  ]);
}
rows.push(["unpacked", size(folder), 10 * KB]);
if (tarball) rows.push(["tarball", statSync(tarball).size, 3 * KB, 3_560]);

let beyond = 0;
console.log(line("", "KB", "target", "limit"));
for (const [name, bytes, target, limit = target] of rows) {
  const size = bytes / KB;
  let mark = "";
  if (size > target) mark = "  above its target";
  if (size > limit) {
    mark = "  ABOVE ITS LIMIT";
    beyond += 1;
  }
  console.log(line(name, size.toFixed(0), target ?? "", limit ?? "") + mark);
}
process.exit(beyond > 0 ? 1 : 0);

function line(name, ...figures) {
  return `  ${name.padEnd(42)}${figures.map((figure) => String(figure).padStart(8)).join("")}`;
}

/** How much a page that imports one name takes, as esbuild bundles and minifies it. */
async function bundled(entry, name) {
  const file = entry === "turnkeeper" ? "index" : entry.slice("turnkeeper/".length);
  const from = JSON.stringify(path.join(dist, `${file}.mjs`));
  const { outputFiles } = await build({
    stdin: {
      contents: name === "*" ? `export * from ${from};` : `export { ${name} } from ${from};`,
      resolveDir: dist,
    },
    bundle: true,
    minify: true,
    format: "esm",
    write: false,
    legalComments: "none",
  });
  return gzip(outputFiles[0].contents);
}

function gzip(bytes) {
  return gzipSync(bytes, { level: 9 }).length;
}

function size(file) {
  if (!statSync(file).isDirectory()) return statSync(file).size;
  // The program that lies there for trying the package is another package.
  const names = readdirSync(file).filter((name) => name !== "node_modules");
  return names.reduce((sum, name) => sum + size(path.join(file, name)), 0);
}
