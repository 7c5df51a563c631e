// Packages and crates of others in the package and in the program of this platform, and the modules that the command needs.

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { isBuiltin } from "node:module";
import path from "node:path";
import { test } from "node:test";

import { nodeHook, program } from "../agents/program.mjs";
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

test("the command and the hook for Node need no package and no module but Node's and their own", () => {
  for (const file of [command, nodeHook]) {
    const needed = readFileSync(file, "utf8").matchAll(
      /^(?:import .*from |import |\} from |.*\brequire\()"([^"]+)"/gm,
    );
    const names = Array.from(needed, ([, name]) => name);
    assert.ok(names.includes("node:fs"), file);
    for (const name of names) assert.ok(isBuiltin(name), `${file}: ${name}`);
  }
  // The one is started by the other where there is no program.
  assert.ok(readFileSync(command, "utf8").includes(`"./${path.basename(nodeHook)}"`));
  assert.ok(existsSync(path.join(dist, path.basename(nodeHook))));
});
