// The example for the AI SDK, run as it stands.

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

const example = fileURLToPath(new URL("../../examples/ai-sdk", import.meta.url));
const installed = fileURLToPath(new URL("node_modules", import.meta.url));

test("the example is told of the loop, and then stopped", () => {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "turnkeeper-example-")));
  try {
    cpSync(path.join(example, "agent.mjs"), path.join(folder, "agent.mjs"));
    mkdirSync(path.join(folder, "node_modules"));
    const link = (name, target) => symlinkSync(target, path.join(folder, "node_modules", name));
    link("ai", path.join(installed, "ai"));
    link("turnkeeper", path.join(app, "node_modules/turnkeeper"));
    const { status, stdout, stderr } = spawnSync(process.execPath, ["agent.mjs"], {
      cwd: folder,
      encoding: "utf8",
      timeout: 300_000,
    });
    assert.equal(status, 0, stderr);
    const lines = stdout.trimEnd().split("\n");
    assert.equal(lines.filter((line) => line.startsWith("nudge: ")).length, 1, stdout);
    assert.equal(lines.filter((line) => line.startsWith("stop: ")).length, 1, stdout);
    const hints = lines.filter((line) => line.startsWith("the model reads: You seem to be stuck"));
    assert.equal(hints.length, 1, stdout);
    const reads = lines.filter((line) => line === 'read_file {"path":"status.txt"}').length;
    assert.ok(reads < 10, stdout);
    assert.equal(lines.at(-1), `the file was read ${reads} times`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the example's manifest names the version that is tested", () => {
  const manifest = (folder) => JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
  const tested = manifest(path.join(installed, ".."));
  assert.equal(manifest(example).dependencies.ai, tested.devDependencies.ai);
});
