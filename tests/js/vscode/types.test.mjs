import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { checkOut, checkOutExample } from "./extension-build.mjs";

const installed = (name) => fileURLToPath(new URL(name, import.meta.url));

for (const [name, project] of [
  ["the extension's", checkOut],
  ["the example's", checkOutExample],
]) {
  test(`${name} sources compile in strict mode, the package's declarations included`, async () => {
    compile(await project());
  });
}

function compile(project) {
  const types = path.join(project, "node_modules/@types");
  mkdirSync(types);
  symlinkSync(installed("node_modules/@types/vscode"), path.join(types, "vscode"), "dir");
  const tsc = installed("../node_modules/typescript-7/bin/tsc");
  const { status, stdout, stderr } = spawnSync(process.execPath, [tsc, "-p", project], {
    encoding: "utf8",
  });
  assert.equal(status, 0, stdout + stderr);
}
