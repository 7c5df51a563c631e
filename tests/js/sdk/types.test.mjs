// Compiles the files of types/ as a user's project would, against the installed packages.

import assert from "node:assert/strict";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

import { app } from "../node/installed-package.mjs";
import { compile } from "./compiler.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const project = mkdtempSync(path.join(tmpdir(), "turnkeeper-sdk-types-"));
after(() => rmSync(project, { recursive: true, force: true }));

const modules = path.join(project, "node_modules");
mkdirSync(modules);
symlinkSync(path.join(app, "node_modules/turnkeeper"), path.join(modules, "turnkeeper"), "dir");
for (const name of readdirSync(path.join(here, "node_modules"))) {
  if (!name.startsWith(".")) {
    symlinkSync(path.join(here, "node_modules", name), path.join(modules, name), "dir");
  }
}
cpSync(path.join(here, "types"), path.join(project, "types"), { recursive: true });
// The pages that most people see first, and copy from into TypeScript.
for (const page of ["README.md", "README.zh-CN.md"]) {
  const [, example] = /^```js\n(.*?)^```$/ms.exec(
    readFileSync(new URL(`../../../${page}`, import.meta.url), "utf8"),
  );
  writeFileSync(path.join(project, "types", `${page.replaceAll(/\W/g, "-")}.ts`), example);
}
writeFileSync(path.join(project, "package.json"), '{ "private": true, "type": "module" }\n');

for (const major of [6, 7]) {
  test(`TypeScript ${major}`, () => {
    const { status, stdout, stderr } = compile(project, major);
    assert.equal(status, 0, stdout + stderr);
  });
}

test("neither the adapters nor their declarations name any of these packages", () => {
  const folder = path.join(app, "node_modules/turnkeeper/dist/adapters");
  const files = readdirSync(folder);
  assert.ok(files.some((file) => file.endsWith(".d.mts")));
  for (const file of files) {
    const text = readFileSync(path.join(folder, file), "utf8").replace(/^ *\*.*$/gm, "");
    const named = [...text.matchAll(/(?:\bfrom |\brequire\(|\bimport\(|\bimport )"([^"]+)"/g)];
    const foreign = named
      .map((match) => match[1])
      .filter((name) => !/^(\.|#watch$|turnkeeper($|\/))/.test(name));
    assert.deepEqual(foreign, [], file);
  }
});
