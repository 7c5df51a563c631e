// What the bundles of the package contain, the command's above all.

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { isBuiltin } from "node:module";
import path from "node:path";
import { test } from "node:test";

import { command } from "../node/installed-package.mjs";

const dist = path.dirname(command);

test("each package that is bundled has its licence in the package", () => {
  const scripts = readdirSync(dist, { recursive: true }).filter((file) => /\.[cm]js$/.test(file));
  // A bundle says of each part which file it is from.
  const parts = scripts.flatMap((file) =>
    Array.from(
      readFileSync(path.join(dist, file), "utf8").matchAll(
        /^\/\/ .*node_modules\/((?:@[^/]+\/)?[^/]+)/gm,
      ),
      ([, name]) => name,
    ),
  );
  const bundled = new Set(parts);
  for (const name of ["commander", "string-width", "preact", "fflate"])
    assert.ok(bundled.has(name), name);
  const licences = readFileSync(path.join(dist, "licenses.txt"), "utf8");
  for (const name of bundled) {
    assert.match(licences, new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, "m"), name);
  }
  assert.match(licences, /Permission is hereby granted/);
});

test("the command needs no package and no module but Node's and its own", () => {
  const files = [command, path.join(dist, "cli.mjs")];
  const imports = files.flatMap((file) =>
    Array.from(
      readFileSync(file, "utf8").matchAll(/^(?:import .*|\}) from "([^"]+)";$/gm),
      ([, name]) => name,
    ),
  );
  assert.ok(imports.includes("./index.mjs"));
  const isOwn = (name) => /^\.\/[\w/-]+\.mjs$/.test(name) && existsSync(path.join(dist, name));
  for (const name of imports) assert.ok(isBuiltin(name) || isOwn(name), name);
});
