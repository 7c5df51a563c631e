// The packed package in Chromium, in a page and in workers of both kinds: the same code on the same
// data as in Node, and the same answers.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

import { app, turnkeeper } from "../node/installed-package.mjs";
import { outcomeOf } from "../packaging/page.mjs";
import { conversation, recorded, turns } from "./cases.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const fixtures = path.join(here, "../fixtures");
const read = (folder, parse) =>
  readdirSync(path.join(fixtures, folder)).map((file) => ({
    file,
    content: parse(readFileSync(path.join(fixtures, folder, file), "utf8")),
  }));

const cases = ["loop-detector", "history-deduper", "summary-injector", "terminal-selector"].flatMap(
  (machine) =>
    read(machine, JSON.parse).flatMap(({ file, content }) =>
      content.map((fixture) => ({ ...fixture, name: `${machine}/${file}: ${fixture.name}` })),
    ),
);
const sessions = read("sessions", (text) => text.trimEnd().split("\n").map(JSON.parse));

const [tables, session] = ["directives", "ten-turns"].map((name) =>
  JSON.parse(readFileSync(path.join(fixtures, `ghost-block/${name}.json`), "utf8")),
);

const folder = mkdtempSync(path.join(tmpdir(), "turnkeeper-browser-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

const data = JSON.stringify({
  cases,
  sessions: sessions.map(({ content }) => content),
  tables,
  session,
});
const bundle = (format, outfile) => ({
  stdin: {
    contents: `
import * as turnkeeper from "turnkeeper";
import { conversation, recorded, runFixtures, runTables, turns } from "./cases.mjs";
const { cases, sessions, tables, session } = JSON.parse(${JSON.stringify(data)});
const inWorker = typeof document === "undefined";
const isClassic = typeof importScripts === "function" && works(() => importScripts());
function works(call) {
  try {
    call();
    return true;
  } catch {
    return false;
  }
}
async function run() {
  return {
    inWorker,
    isClassic,
    problems: runFixtures(turnkeeper, cases),
    recorded: sessions.map((lines) => recorded(turnkeeper, lines)),
    tables: await runTables(turnkeeper, tables),
    conversation: await conversation(turnkeeper, session),
    turns: turns(turnkeeper),
  };
}
run()
  .catch((error) => ({ inWorker, isClassic, error: String(error) }))
  .then((outcome) => {
    if (inWorker) postMessage(outcome);
    else window.outcome = outcome;
  });`,
    resolveDir: here,
  },
  outfile: path.join(folder, outfile),
  bundle: true,
  platform: "browser",
  format,
  // The package is that of the app, wherever this test lies.
  nodePaths: [path.join(app, "node_modules")],
  logLevel: "silent",
});
await build(bundle("esm", "bundle.mjs"));
await build(bundle("iife", "bundle.js"));
writeFileSync(
  path.join(folder, "page.html"),
  `<!doctype html><title>page</title><script type="module" src="bundle.mjs"></script>`,
);
for (const [page, script, options] of [
  ["worker.html", "bundle.mjs", '{ type: "module" }'],
  ["classic-worker.html", "bundle.js", "{}"],
]) {
  writeFileSync(
    path.join(folder, page),
    `<!doctype html><title>worker</title><script type="module">
const worker = new Worker("${script}", ${options});
worker.onmessage = ({ data }) => { window.outcome = data; };
worker.onerror = (event) => { window.outcome = { error: event.message }; };
</script>`,
  );
}

const inNode = await conversation(turnkeeper, session);
// All before the first test: a test that has been named begins at the next await.
const outcomes = {
  page: await outcomeOf(folder, { page: "page.html" }),
  worker: await outcomeOf(folder, { page: "worker.html" }),
  "classic worker": await outcomeOf(folder, { page: "classic-worker.html" }),
};

for (const [place, outcome] of Object.entries(outcomes)) {
  describe(`in a ${place}`, () => {
    test("the package runs", () => {
      assert.equal(outcome.error, undefined);
      assert.equal(outcome.inWorker, place.endsWith("worker"));
      assert.equal(outcome.isClassic, place === "classic worker");
      assert.equal(outcome.problems.length, cases.length);
    });

    cases.forEach(({ name }, index) => {
      test(name, () => assert.equal(outcome.problems?.[index], null));
    });

    tables.forEach(({ name }, index) => {
      test(`directives: ${name}`, () => assert.equal(outcome.tables?.[index], null));
    });

    test("a conversation is assembled, saved and read as it is in Node", () => {
      assert.equal(outcome.conversation, inNode);
    });

    test("turns get the prompts and the snapshots that they get in Node", () => {
      assert.equal(outcome.turns, turns(turnkeeper));
    });

    sessions.forEach(({ file, content }, index) => {
      test(`${file} gets the verdicts and the snapshots that it gets in Node`, () => {
        assert.equal(outcome.recorded[index], recorded(turnkeeper, content));
      });
    });
  });
}
