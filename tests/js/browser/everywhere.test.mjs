// The packed package in Chromium and Firefox, in a page and in workers of both kinds: the same code on the
// same data as in Node, and the same answers.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

import {
  cases,
  directives as tables,
  tenTurns as session,
  sessions,
} from "../node/fixture-cases.mjs";
import { app, turnkeeper } from "../node/installed-package.mjs";
import { outcomeOf } from "../packaging/page.mjs";
import { withoutFirefox } from "../www/firefox.mjs";
import { conversation, recorded, runFixtures, turns } from "./cases.mjs";
import { outcomesInFirefox } from "./firefox-pages.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));

const folder = mkdtempSync(path.join(tmpdir(), "turnkeeper-browser-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

const data = JSON.stringify({
  cases,
  sessions: sessions.map(({ lines }) => lines),
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
const isClassic = typeof importScripts === "function" && works(() => importScripts("data:text/javascript,"));
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
    ...runFixtures(turnkeeper, cases),
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
const { traces } = runFixtures(turnkeeper, cases);
// All before the first test: a test that has been named begins at the next await.
const PLACES = ["page", "worker", "classic-worker"];
const outcomes = {};
for (const place of process.env.TURNKEEPER_CHROME ? PLACES : []) {
  outcomes[`Chromium, in a ${place}`] = await outcomeOf(folder, { page: `${place}.html` });
}
if (!withoutFirefox) {
  const inFirefox = await outcomesInFirefox(
    folder,
    PLACES.map((place) => `${place}.html`),
  );
  PLACES.forEach((place, at) => (outcomes[`Firefox, in a ${place}`] = inFirefox[at]));
}

test("there is a browser", () => assert.notDeepEqual(outcomes, {}));

for (const [place, outcome] of Object.entries(outcomes)) {
  describe(place, () => {
    test("the package runs", () => {
      assert.equal(outcome.error, undefined);
      assert.equal(outcome.inWorker, place.endsWith("worker"));
      assert.equal(outcome.isClassic, place.endsWith("classic-worker"));
      assert.equal(outcome.problems.length, cases.length);
    });

    cases.forEach(({ name }, index) => {
      test(name, () => assert.equal(outcome.problems?.[index], null));
    });

    test("the snapshots at the end of the cases are those that Node comes to", () => {
      assert.deepEqual(outcome.traces, traces);
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

    sessions.forEach(({ name, lines }, index) => {
      test(`${name} gets the verdicts and the snapshots that it gets in Node`, () => {
        assert.equal(outcome.recorded[index], recorded(turnkeeper, lines));
      });
    });
  });
}
