// The packed package in Chromium, in a page and in a module worker: the same code on the same data
// as in Node, and the same answers.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

import { app, turnkeeper } from "../node/installed-package.mjs";
import { outcomeOf } from "../packaging/page.mjs";
import { recorded } from "./cases.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const fixtures = path.join(here, "../fixtures");
const read = (folder, parse) =>
  readdirSync(path.join(fixtures, folder)).map((file) => ({
    file,
    content: parse(readFileSync(path.join(fixtures, folder, file), "utf8")),
  }));

const cases = ["loop-detector", "history-deduper"].flatMap((machine) =>
  read(machine, JSON.parse).flatMap(({ file, content }) =>
    content.map((fixture) => ({ ...fixture, name: `${machine}/${file}: ${fixture.name}` })),
  ),
);
const sessions = read("sessions", (text) => text.trimEnd().split("\n").map(JSON.parse));

const folder = mkdtempSync(path.join(tmpdir(), "turnkeeper-browser-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

const data = JSON.stringify({ cases, sessions: sessions.map(({ content }) => content) });
await build({
  stdin: {
    contents: `
import * as turnkeeper from "turnkeeper";
import { recorded, runFixtures } from "./cases.mjs";
const { cases, sessions } = JSON.parse(${JSON.stringify(data)});
const inWorker = typeof document === "undefined";
let outcome;
try {
  outcome = {
    inWorker,
    problems: runFixtures(turnkeeper, cases),
    recorded: sessions.map((lines) => recorded(turnkeeper, lines)),
  };
} catch (error) {
  outcome = { inWorker, error: String(error) };
}
if (inWorker) postMessage(outcome);
else window.outcome = outcome;`,
    resolveDir: here,
  },
  outfile: path.join(folder, "bundle.mjs"),
  bundle: true,
  platform: "browser",
  format: "esm",
  // The package is that of the app, wherever this test lies.
  nodePaths: [path.join(app, "node_modules")],
  logLevel: "silent",
});
writeFileSync(
  path.join(folder, "page.html"),
  `<!doctype html><title>page</title><script type="module" src="bundle.mjs"></script>`,
);
writeFileSync(
  path.join(folder, "worker.html"),
  `<!doctype html><title>worker</title><script type="module">
const worker = new Worker("bundle.mjs", { type: "module" });
worker.onmessage = ({ data }) => { window.outcome = data; };
worker.onerror = (event) => { window.outcome = { error: event.message }; };
</script>`,
);

// Both before the first test: a test that has been named begins at the next await.
const outcomes = {
  page: await outcomeOf(folder, { page: "page.html" }),
  worker: await outcomeOf(folder, { page: "worker.html" }),
};

for (const [place, outcome] of Object.entries(outcomes)) {
  describe(`in a ${place}`, () => {
    test("the package runs", () => {
      assert.equal(outcome.error, undefined);
      assert.equal(outcome.inWorker, place === "worker");
      assert.equal(outcome.problems.length, cases.length);
    });

    cases.forEach(({ name }, index) => {
      test(name, () => assert.equal(outcome.problems?.[index], null));
    });

    sessions.forEach(({ file, content }, index) => {
      test(`${file} gets the verdicts and the snapshots that it gets in Node`, () => {
        assert.equal(outcome.recorded[index], recorded(turnkeeper, content));
      });
    });
  });
}
