import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { build as esbuild } from "esbuild";
import { build as vite } from "vite";
import webpack from "webpack";

import { makeApp, nodes, run, temporaryFolder } from "./app.mjs";
import { outcomeOf } from "./page.mjs";
import { EXPECTED, printing, showing } from "./trace.mjs";

const HTML = (script, type) => `<!doctype html><title>app</title>
<script ${type} src="${script}"></script>`;

for (const kind of ["esm", "cjs"]) {
  test(`esbuild makes one file of a ${kind} extension that runs on its own`, async () => {
    const source = kind === "esm" ? "app.mjs" : "app.cjs";
    const app = await makeApp({ [source]: printing[kind] });
    const outfile = path.join(app, "extension.js");
    await esbuild({
      entryPoints: [path.join(app, source)],
      outfile,
      bundle: true,
      platform: "node",
      format: "cjs",
      external: ["vscode"],
      logLevel: "silent",
    });
    // Away from node_modules, where nothing else of the package can be found.
    const elsewhere = temporaryFolder();
    cpSync(outfile, path.join(elsewhere, "extension.cjs"));
    for (const [, node] of [["here", process.execPath], ...nodes]) {
      const printed = await run(node, ["extension.cjs"], { cwd: elsewhere });
      assert.deepEqual(JSON.parse(printed), EXPECTED);
    }
  });
}

test("esbuild makes one CommonJS file of a web extension that runs on its own", async () => {
  const app = await makeApp({ "app.mjs": printing.esm });
  const outfile = path.join(app, "extension.cjs");
  await esbuild({
    entryPoints: [path.join(app, "app.mjs")],
    outfile,
    bundle: true,
    platform: "browser",
    format: "cjs",
    external: ["vscode"],
    logLevel: "silent",
  });
  assert.deepEqual(JSON.parse(await run("node", [outfile])), EXPECTED);
});

test("an esbuild bundle that imports and requires has one copy", async () => {
  const app = await makeApp({
    "app.mjs": `import { LoopDetector } from "turnkeeper";
import { Required } from "./required.cjs";
console.log(LoopDetector === Required);`,
    "required.cjs": `exports.Required = require("turnkeeper").LoopDetector;`,
  });
  for (const platform of ["node", "browser"]) {
    const outfile = path.join(app, `${platform}.cjs`);
    await esbuild({
      entryPoints: [path.join(app, "app.mjs")],
      outfile,
      bundle: true,
      platform,
      format: "cjs",
      logLevel: "silent",
    });
    assert.equal((await run("node", [outfile])).trim(), "true", platform);
  }
});

test("a page that Vite built for production gives the trace's verdict", async () => {
  const app = await makeApp({
    "index.html": HTML("/main.js", 'type="module"'),
    "main.js": showing,
  });
  await vite({ root: app, logLevel: "silent", configFile: false });
  assert.deepEqual(await outcomeOf(path.join(app, "dist")), EXPECTED);
});

test("a page that webpack built with its defaults gives the trace's verdict", async () => {
  const app = await makeApp({
    "src/index.js": showing,
    "dist/index.html": HTML("main.js", "defer"),
  });
  const output = { path: path.join(app, "dist") };
  const stats = await new Promise((resolve, reject) => {
    webpack({ context: app, mode: "production", output }, (error, stats) =>
      error ? reject(error) : resolve(stats),
    );
  });
  assert.equal(stats.hasErrors(), false, stats.toString("errors-only"));
  assert.deepEqual(await outcomeOf(path.join(app, "dist")), EXPECTED);
});

for (const target of ["node", "web", "webworker", "electron-main"]) {
  test(`webpack has nothing to warn of for the target ${target}, whatever is imported`, async () => {
    const entries = ["loop-detector", "ghost-block", "history-deduper", "summary-injector"];
    const names = [
      "",
      ...[...entries, "terminal-selector", "peers", "sessions"].map((it) => `/${it}`),
    ];
    const app = await makeApp({
      "esm.mjs": names.map((name) => `import "turnkeeper${name}";\n`).join(""),
      "cjs.cjs": names.map((name) => `require("turnkeeper${name}");\n`).join(""),
    });
    const entry = { esm: "./esm.mjs", cjs: "./cjs.cjs" };
    const options = { context: app, mode: "none", target, entry };
    const stats = await new Promise((resolve, reject) => {
      webpack({ ...options, output: { path: path.join(app, "dist") } }, (error, stats) =>
        error ? reject(error) : resolve(stats),
      );
    });
    const { errors, warnings } = stats.toJson({ all: false, errors: true, warnings: true });
    assert.deepEqual(
      [...errors, ...warnings].map(({ message }) => message),
      [],
    );
  });
}

test("webpack makes one file of an extension that runs on its own", async () => {
  const app = await makeApp({ "app.cjs": printing.cjs });
  const output = { path: path.join(app, "out"), filename: "extension.cjs" };
  await new Promise((resolve, reject) => {
    webpack(
      { context: app, mode: "production", target: "node", entry: "./app.cjs", output },
      (error) => (error ? reject(error) : resolve()),
    );
  });
  assert.deepEqual(
    JSON.parse(await run("node", [path.join(output.path, "extension.cjs")])),
    EXPECTED,
  );
});
