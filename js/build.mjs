// Makes the npm package from the glue and the TypeScript:
//   node js/build.mjs --glue GLUE --out OUT
// OUT is then complete, ready for `npm pack`; with --no-types it has no declarations, which take longest, and
// with --without NAME no entry over a module of its own that has this name.

import { rmSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";

import { bundle } from "./build/bundle.mjs";
import { check } from "./build/check.mjs";
import { writeManifest } from "./build/manifest.mjs";

const { values } = parseArgs({
  options: {
    glue: { type: "string" },
    out: { type: "string" },
    "no-types": { type: "boolean" },
    without: { type: "string", multiple: true, default: [] },
  },
});
if (!values.glue || !values.out) {
  throw new Error("usage: node js/build.mjs --glue GLUE --out OUT [--no-types]");
}
const glue = path.resolve(values.glue);
const out = path.resolve(values.out);
const dist = path.join(out, "dist");

rmSync(out, { recursive: true, force: true });
await bundle({ glue, dist, without: values.without });
if (!values["no-types"]) {
  const { writeTypes } = await import("./build/types.mjs");
  await writeTypes(dist);
}
writeManifest(out);
check(dist);
