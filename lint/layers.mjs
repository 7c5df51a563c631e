// Which folder of js/src may import which: those in the layers below its own.
//   node lint/layers.mjs
// `replace` and `agents` import the package by its name, as a user does. Besides, no file may import itself by way
// of others.

import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const src = fileURLToPath(new URL("../js/src", import.meta.url));

/** From the bottom up; a file beside the folders stands for itself. */
const LAYERS = [
  ["boundary"],
  ["messages"],
  ["loop", "context", "prompt", "memory", "terminals"],
  ["session-machines", "agent-session", "adapters", "sessions"],
  ["replace"],
  ["agents"],
  ["launcher"],
  ["entries"],
];
/** Of one layer, but one is made of the other. */
const BESIDE = ["agent-session -> session-machines"];

const imports = new Map(
  readdirSync(src, { recursive: true })
    .filter((file) => /(?<!\.d)\.tsx?$/.test(file))
    .map((file) => [file.split(path.sep).join("/"), importsOf(path.join(src, file))]),
);
const problems = [...upwards(), ...circles()];
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

/** The files that a file imports, types included; those of packages and of the glue left out. */
function importsOf(file) {
  const found = readFileSync(file, "utf8").matchAll(/(?:\bfrom|\bimport\(?)\s*"(\.[^"]+)\.js"/g);
  return [...found].flatMap(([, request]) => {
    const imported = path.resolve(path.dirname(file), request);
    const source = [".ts", ".tsx"].map((end) => imported + end).find(existsSync);
    return source ? [path.relative(src, source).split(path.sep).join("/")] : [];
  });
}

function upwards() {
  return [...imports].flatMap(([file, imported]) =>
    imported
      .filter((to) => !isAllowed(partOf(file), partOf(to)))
      .map((to) => `${file} imports ${to}`),
  );
}

function isAllowed(from, to) {
  if (from === to || BESIDE.includes(`${from} -> ${to}`)) return true;
  return layerOf(to) < layerOf(from);
}

function layerOf(part) {
  const layer = LAYERS.findIndex((parts) => parts.includes(part));
  if (layer < 0) throw new Error(`js/src/${part} is in no layer of lint/layers.mjs`);
  return layer;
}

function partOf(file) {
  return file.split("/")[0].replace(/\.tsx?$/, "");
}

/** Each circle of files once, from whichever of them is met first. */
function circles() {
  const found = [];
  const done = new Set();
  const visit = (file, way) => {
    if (way.includes(file))
      found.push(`a circle: ${[...way.slice(way.indexOf(file)), file].join(" -> ")}`);
    if (way.includes(file) || done.has(file)) return;
    for (const to of imports.get(file) ?? []) visit(to, [...way, file]);
    done.add(file);
  };
  for (const file of imports.keys()) visit(file, []);
  return found;
}
