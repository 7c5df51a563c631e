import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { makeApp, run, tarball, temporaryFolder } from "./app.mjs";

const bin = fileURLToPath(new URL("../node_modules/.bin/", import.meta.url));

test("publint finds nothing in the package", async () => {
  const report = await run(path.join(bin, "publint"), ["--strict", tarball]);
  assert.match(report, /All good!/);
});

test("every entry has the right types in every kind of resolution", async () => {
  // Its exit code is not 0 if it finds a problem.
  const report = await run(path.join(bin, "attw"), [tarball, "--profile", "esm-only"]);
  assert.match(report, /bundler/);
});

test("the package brings nothing along but its program, and runs nothing when it is installed", async () => {
  const app = await makeApp();
  const manifest = JSON.parse(
    readFileSync(path.join(app, "node_modules/turnkeeper/package.json"), "utf8"),
  );
  const forbidden = [
    "dependencies",
    "devDependencies",
    "peerDependencies",
    "bundleDependencies",
    "scripts",
  ];
  assert.deepEqual(
    Object.keys(manifest).filter((key) => forbidden.includes(key)),
    [],
  );
  const programs = Object.entries(manifest.optionalDependencies);
  assert.equal(programs.length, 6);
  for (const [name, version] of programs) {
    assert.match(name, /^turnkeeper-(linux|darwin|win32)-(x64|arm64)$/);
    assert.equal(version, manifest.version);
  }
  assert.equal(manifest.name, "turnkeeper");
  assert.equal(manifest.license, "MIT");
  const dist = readdirSync(path.join(app, "node_modules/turnkeeper/dist"));
  const isThere = (pattern) => {
    const [beginning, end = ""] = pattern.replace("./dist/", "").split("*");
    return dist.some((name) => name.startsWith(beginning) && name.endsWith(end));
  };
  assert.deepEqual(
    manifest.sideEffects.filter((pattern) => !isThere(pattern)),
    [],
  );
});

test("every file that the package exports is in it", async () => {
  const app = await makeApp();
  const home = path.join(app, "node_modules/turnkeeper");
  const manifest = JSON.parse(readFileSync(path.join(home, "package.json"), "utf8"));
  const files = [];
  const collect = (value) => {
    if (typeof value === "string") files.push(value);
    else Object.values(value).forEach(collect);
  };
  collect([manifest.exports, manifest.imports, manifest.bin, manifest.main, manifest.types]);
  assert.ok(files.length > 20);
  for (const file of files) {
    const [before, after] = file.split("*");
    if (after === undefined) readFileSync(path.join(home, file));
    else
      assert.ok(
        readdirSync(path.join(home, before)).some((name) => name.endsWith(after)),
        file,
      );
  }
});

test("npx runs the command out of the tarball, without a network and with an empty cache", async () => {
  const home = temporaryFolder();
  const sessions = fileURLToPath(new URL("../../data/saved", import.meta.url));
  const program = path.join(tarball, `../turnkeeper-${process.platform}-${process.arch}.tgz`);
  const packages = [tarball, program].map((file) => `--package=${file}`);
  const given = ["--yes", "--offline", ...packages];
  const args = [...given, "turnkeeper", "audit", "--json", sessions];
  const options = { cwd: home, env: { HOME: home, PATH: process.env.PATH } };
  const audit = JSON.parse(await run("npx", args, options));
  assert.deepEqual(
    audit.sessions.map(({ file }) => path.basename(file)),
    readdirSync(sessions).sort(),
  );
});
