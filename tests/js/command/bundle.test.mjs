// Packages and crates of others in the package and in the program of this platform, and the modules that the command needs.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { isBuiltin } from "node:module";
import path from "node:path";
import { test } from "node:test";

import { program } from "../agents/program.mjs";
import { command } from "../node/installed-package.mjs";

const dist = path.dirname(command);

test("each package that is bundled has its licence in the package", () => {
  const scripts = readdirSync(dist, { recursive: true }).filter((file) => /\.[cm]?js$/.test(file));
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
  // Plugins have the package itself inside.
  bundled.delete("turnkeeper");
  assert.deepEqual([...bundled], ["fflate"]);
  const licences = readFileSync(path.join(dist, "licenses.txt"), "utf8");
  for (const name of bundled) {
    assert.match(licences, new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, "m"), name);
  }
  assert.match(licences, /Permission is hereby granted/);
});

test("each crate that the program has inside has its licence beside it, and so has the table of prices", () => {
  // A crate leaves the names of files behind, for its mistakes.
  const inside = readFileSync(program, "latin1").matchAll(
    /[\\/]registry[\\/]src[\\/][^\\/\0]+[\\/]([\w-]+?-\d+\.\d+\.\d+[\w.+-]*)[\\/]/g,
  );
  const crates = new Set(Array.from(inside, ([, crate]) => crate.replace(/-(?=\d+\.)/, " ")));
  assert.ok(crates.size > 20, [...crates].join());
  const licences = readFileSync(path.join(path.dirname(program), "licenses.txt"), "utf8");
  const told = new Set(Array.from(licences.matchAll(/^([\w-]+ \d\S*) \(.+\)$/gm), ([, it]) => it));
  assert.deepEqual(
    [...crates].filter((crate) => !told.has(crate)),
    [],
  );
  assert.match(licences, /^LiteLLM's table of models' prices/m);
  assert.match(licences, /Permission is hereby granted/);
});

test("the command needs no package and no module but Node's", () => {
  const needed = readFileSync(command, "utf8").matchAll(
    /^(?:import .*from |import |\} from |.*\brequire\()"([^"]+)"/gm,
  );
  const names = Array.from(needed, ([, name]) => name);
  assert.ok(names.includes("node:fs"));
  for (const name of names) assert.ok(isBuiltin(name), name);
});

test("the package has nothing that an agent would take for a plugin that starts another hook", () => {
  const names = readdirSync(path.dirname(dist));
  const known = ["CHANGELOG.md", "LICENSE", "README.md", "README.zh-CN.md", "dist", "docs"];
  const others = names.filter((name) => ![...known, "package.json"].includes(name));
  assert.deepEqual(others, []);
});
