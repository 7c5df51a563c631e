// Compiles the files beside this one as a user's project would, against the installed package.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { app } from "../node/installed-package.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../../", import.meta.url));
/** The pages that most people see first, and copy from into TypeScript. */
const FRONT_PAGES = ["README.md", "README.zh-CN.md"];
const project = mkdtempSync(path.join(tmpdir(), "turnkeeper-types-"));
after(() => rmSync(project, { recursive: true, force: true }));

before(() => {
  installPeers();
  mkdirSync(path.join(project, "node_modules"));
  link("turnkeeper", path.join(app, "node_modules/turnkeeper"));
  link("@google", path.join(here, "node_modules/@google"));
  writeFileSync(path.join(project, "package.json"), '{ "private": true, "type": "module" }\n');
});

for (const major of [6, 7]) {
  test(`TypeScript ${major}: streams.ts, the package's own declarations included`, () => {
    compile(major, "streams.ts", { skipLibCheck: false });
  });

  test(`TypeScript ${major}: histories.ts`, () => {
    compile(major, "histories.ts", { skipLibCheck: false });
  });

  test(`TypeScript ${major}: ghost-block.ts`, () => {
    compile(major, "ghost-block.ts", { skipLibCheck: false });
  });

  test(`TypeScript ${major}: sessions.ts`, () => {
    compile(major, "sessions.ts", { skipLibCheck: false });
  });

  test(`TypeScript ${major}: terminals.ts`, () => {
    compile(major, "terminals.ts", { skipLibCheck: false });
  });

  test(`TypeScript ${major}: summaries.ts`, () => {
    compile(major, "summaries.ts", { skipLibCheck: false });
  });

  test(`TypeScript ${major}: reports.ts`, () => {
    compile(major, "reports.ts", { skipLibCheck: false });
  });

  test(`TypeScript ${major}: adapters.ts, all declarations included`, () => {
    compile(major, "adapters.ts", { skipLibCheck: false });
  });

  test(`TypeScript ${major}: gemini.ts`, () => {
    // Gemini's declarations have mistakes of their own.
    compile(major, "gemini.ts", { skipLibCheck: true });
  });

  test(`TypeScript ${major}: replace.ts`, () => {
    // It imports Gemini's declarations, too.
    compile(major, "replace.ts", { skipLibCheck: true });
  });

  for (const page of FRONT_PAGES) {
    test(`TypeScript ${major}: the first example of ${page}`, () => {
      const file = `${page.replaceAll(/\W/g, "-")}.ts`;
      writeFileSync(path.join(project, file), firstExample(page));
      check(major, file, { skipLibCheck: false });
    });
  }
}

function compile(major, file, options) {
  copyFileSync(path.join(here, file), path.join(project, file));
  check(major, file, options);
}

/** The first block of JavaScript in a document. */
function firstExample(document) {
  const [, example] = /^```js\n(.*?)^```$/ms.exec(readFileSync(path.join(root, document), "utf8"));
  return example;
}

/** Compiles a file of the project. */
function check(major, file, { skipLibCheck }) {
  const tsconfig = path.join(project, `tsconfig.${major}.${path.basename(file, ".ts")}.json`);
  const compilerOptions = {
    target: "es2022",
    lib: ["es2022", "dom"],
    module: "nodenext",
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck,
  };
  writeFileSync(tsconfig, JSON.stringify({ compilerOptions, files: [file] }));
  const tsc = path.join(here, `../node_modules/typescript-${major}/bin/tsc`);
  const { status, stdout, stderr } = spawnSync(process.execPath, [tsc, "-p", tsconfig], {
    encoding: "utf8",
  });
  assert.equal(status, 0, stdout + stderr);
}

function link(name, target) {
  symlinkSync(target, path.join(project, "node_modules", name), "dir");
}

/** Installs what the lock file says, unless that has been done since it changed. */
function installPeers() {
  const installed = path.join(here, "node_modules/.package-lock.json");
  const lock = path.join(here, "package-lock.json");
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], {
    cwd: here,
    stdio: "pipe",
  });
}
