// The examples for SDKs, run as they stand.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { app } from "../node/installed-package.mjs";

const installed = fileURLToPath(new URL("node_modules", import.meta.url));
const EXAMPLES = { "ai-sdk": "ai" };

for (const [name, sdk] of Object.entries(EXAMPLES)) {
  const example = fileURLToPath(new URL(`../../../examples/${name}`, import.meta.url));

  test(`${name}: the example is told of the loop, and then stopped`, () => {
    const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "turnkeeper-example-")));
    try {
      cpSync(path.join(example, "agent.mjs"), path.join(folder, "agent.mjs"));
      const link = (name, target) => {
        const place = path.join(folder, "node_modules", name);
        mkdirSync(path.dirname(place), { recursive: true });
        symlinkSync(target, place);
      };
      link(sdk, path.join(installed, sdk));
      link("turnkeeper", path.join(app, "node_modules/turnkeeper"));
      const { status, stdout, stderr } = spawnSync(process.execPath, ["agent.mjs"], {
        cwd: folder,
        encoding: "utf8",
        timeout: 300_000,
      });
      assert.equal(status, 0, stderr);
      assert.equal(stderr, "");
      const lines = stdout.trimEnd().split("\n");
      const told = lines.filter((line) => line.startsWith("the model reads: You seem to be stuck"));
      assert.equal(told.length, 1, stdout);
      const reads = lines.filter((line) => line.startsWith("read_file ")).length;
      assert.equal(reads, 5, stdout);
      const stops = lines.filter((line) => /\bStopped: read_file .*was called 5 times/.test(line));
      assert.equal(stops.length, 1, stdout);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test(`${name}: the example's manifest names the version that is tested`, () => {
    const manifest = (folder) =>
      JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
    const tested = manifest(path.join(installed, ".."));
    assert.equal(manifest(example).dependencies[sdk], tested.devDependencies[sdk]);
  });
}
