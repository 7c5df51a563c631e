// Compiles the files beside this one as a user's project would, against the installed package.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { app } from "../node/installed-package.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
/** What imports nothing but the package. */
const FILES = [
  "adapters.ts",
  "declared.ts",
  "ghost-block.ts",
  "histories.ts",
  "reports.ts",
  "sessions.ts",
  "streams.ts",
  "summaries.ts",
  "terminals.ts",
];
/** These import Gemini's declarations, which have mistakes of their own. */
const WITH_GEMINI = ["gemini.ts", "replace.ts"];

const project = mkdtempSync(path.join(tmpdir(), "turnkeeper-types-"));
after(() => rmSync(project, { recursive: true, force: true }));

before(() => {
  mkdirSync(path.join(project, "node_modules"));
  link("turnkeeper", path.join(app, "node_modules/turnkeeper"));
  link("@google", path.join(here, "node_modules/@google"));
  writeFileSync(path.join(project, "package.json"), '{ "private": true, "type": "module" }\n');
  for (const file of [...FILES, ...WITH_GEMINI]) {
    copyFileSync(path.join(here, file), path.join(project, file));
  }
});

for (const major of [6, 7]) {
  test(`TypeScript ${major}: the package's own declarations included`, () => {
    check(major, FILES, { skipLibCheck: false });
  });

  test(`TypeScript ${major}: beside Gemini's declarations`, () => {
    check(major, WITH_GEMINI, { skipLibCheck: true });
  });
}

/** Compiles files of the project. */
function check(major, files, { skipLibCheck }) {
  const tsconfig = path.join(project, `tsconfig.${major}.${path.basename(files[0], ".ts")}.json`);
  const compilerOptions = {
    target: "es2022",
    lib: ["es2022", "dom"],
    module: "nodenext",
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    // The declarations of what the files export are written, too, beside them.
    declaration: true,
    emitDeclarationOnly: true,
    outDir: path.join(project, `declared.${major}`),
    skipLibCheck,
  };
  writeFileSync(tsconfig, JSON.stringify({ compilerOptions, files }));
  const tsc = path.join(here, `../node_modules/typescript-${major}/bin/tsc`);
  const { status, stdout, stderr } = spawnSync(process.execPath, [tsc, "-p", tsconfig], {
    encoding: "utf8",
  });
  assert.equal(status, 0, stdout + stderr);
}

function link(name, target) {
  symlinkSync(target, path.join(project, "node_modules", name), "dir");
}
