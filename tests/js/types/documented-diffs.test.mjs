// Each diff that `docs/peers.md` shows is applied to a file that looks like the agent's own, and compiled without
// the agent's own detector.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

import { app } from "../node/installed-package.mjs";

import { HOSTS } from "./hosts.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const TSC = path.join(here, "../node_modules/typescript-7/bin/tsc");
const DOCUMENT = readFileSync(path.join(here, "../../../docs/peers.md"), "utf8");
/** Each diff, with the heading that it stands under. */
const DIFFS = DOCUMENT.split(/^### /m).flatMap((section) =>
  [...section.matchAll(/^```diff\n(.*?)^```$/gms)].map(([, diff]) => [
    section.slice(0, section.indexOf("\n")),
    diff,
  ]),
);

const work = mkdtempSync(path.join(tmpdir(), "turnkeeper-diffs-"));
after(() => rmSync(work, { recursive: true, force: true }));

test("each agent has its diff", () => {
  assert.deepEqual(
    DIFFS.map(([agent]) => agent),
    Object.keys(HOSTS),
  );
});

for (const [agent, diff] of DIFFS) {
  test(`${agent}: the diff fits and compiles`, () => {
    const { file, detector, files } = HOSTS[agent];
    assert.equal(compiled(agent, files), "", "as it was");
    const changed = { ...files, [file]: applied(diff, files[file]) };
    delete changed[detector];
    assert.equal(compiled(agent, changed), "", changed[file]);
  });
}

/** The text with each hunk of the diff changed, whose old lines must be there once. */
function applied(diff, text) {
  const hunks = diff.split(/\n{2,}/).map((hunk) => hunk.trimEnd().split("\n"));
  return hunks.reduce((before, lines) => {
    const of = (sign) =>
      lines.filter((line) => line.startsWith(sign)).map((line) => `${line.slice(1)}\n`);
    const old = of("-").join("");
    assert.equal(before.split(old).length, 2, `${old}is there once`);
    return before.replace(old, () => of("+").join(""));
  }, text);
}

/** What the compiler says of these files, in a folder of their own. */
function compiled(agent, files) {
  const project = mkdtempSync(path.join(work, `${agent.replaceAll(" ", "-")}-`));
  const modules = path.join(project, "node_modules");
  mkdirSync(modules);
  symlinkSync(path.join(app, "node_modules/turnkeeper"), path.join(modules, "turnkeeper"), "dir");
  symlinkSync(path.join(here, "node_modules/@google"), path.join(modules, "@google"), "dir");
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(project, name)), { recursive: true });
    writeFileSync(path.join(project, name), text);
  }
  const compilerOptions = {
    target: "es2022",
    lib: ["es2022", "dom"],
    module: "esnext",
    moduleResolution: "bundler",
    types: [],
    strict: true,
    // Gemini's declarations have mistakes of their own.
    skipLibCheck: true,
    noEmit: true,
  };
  const tsconfig = path.join(project, "tsconfig.json");
  writeFileSync(tsconfig, JSON.stringify({ compilerOptions, files: Object.keys(files) }));
  const { stdout, stderr } = spawnSync(process.execPath, [TSC, "-p", tsconfig], {
    encoding: "utf8",
  });
  return stdout + stderr;
}
