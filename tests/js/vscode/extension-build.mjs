// The extension as its author would ship it: one bundled file for each place it runs in.

import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

import { traceData } from "../browser/trace-data.mjs";
import { makeApp, run } from "../packaging/app.mjs";

const source = fileURLToPath(new URL("extension", import.meta.url));

/** The extension's sources in a folder that has installed the packed package. */
export async function checkOut() {
  const project = await makeApp();
  for (const name of ["src", "tests", "tsconfig.json"]) {
    cpSync(path.join(source, name), path.join(project, name), { recursive: true });
  }
  for (const name of ["conversation/twelve-turns", "memory/soaked"]) {
    for (const kind of ["mjs", "d.mts"]) {
      const file = fileURLToPath(new URL(`../${name}.${kind}`, import.meta.url));
      cpSync(file, path.join(project, "tests", `${name}.${kind}`));
    }
  }
  return project;
}

/** The example in a folder that has installed the packed package, with what is run inside VS Code. */
export async function checkOutExample() {
  const project = await makeApp();
  cpSync(fileURLToPath(new URL("../../../examples/vscode-agent", import.meta.url)), project, {
    recursive: true,
    filter: (file) => !/\/(dist|node_modules)$/.test(file),
  });
  cpSync(path.join(source, "tests"), path.join(project, "tests"), { recursive: true });
  const esbuild = fileURLToPath(new URL("../node_modules/esbuild", import.meta.url));
  symlinkSync(esbuild, path.join(project, "node_modules/esbuild"), "dir");
  return project;
}

/** The example, built by its own command, in a folder with nothing else but the tests inside. */
export async function buildExample() {
  const project = await checkOutExample();
  await run("npm", ["run", "--silent", "build"], { cwd: project });
  const packaged = path.join(project, "packaged");
  for (const name of ["package.json", "dist"]) {
    cpSync(path.join(project, name), path.join(packaged, name), { recursive: true });
  }
  offerTool(path.join(packaged, "package.json"));
  for (const [name, IS_LATER] of [
    ["example", "false"],
    ["example-later", "true"],
    ["example-more", "false"],
    ["example-empty", "false"],
  ]) {
    await build({
      entryPoints: [path.join(project, `tests/${name.replace("-later", "")}.ts`)],
      outfile: path.join(packaged, `tests/${name}.js`),
      bundle: true,
      format: "cjs",
      external: ["vscode"],
      define: { IS_LATER },
    });
  }
  return packaged;
}

/** As another extension would offer it; the tests inside register it. */
function offerTool(manifest) {
  const { contributes, ...rest } = JSON.parse(readFileSync(manifest, "utf8"));
  const tool = {
    name: "count_notes",
    displayName: "Count the notes",
    modelDescription: "The number of notes.",
  };
  const offering = { ...rest, contributes: { ...contributes, languageModelTools: [tool] } };
  writeFileSync(manifest, JSON.stringify(offering));
}

/** A folder with the bundles and the manifest, and nothing else of the package. */
export async function buildExtension() {
  const project = await checkOut();
  const packaged = path.join(project, "packaged");
  mkdirSync(packaged);
  cpSync(path.join(source, "package.json"), path.join(packaged, "package.json"));

  const bundle = (entry, outfile, options) =>
    build({
      entryPoints: [path.join(project, entry)],
      outfile: path.join(packaged, outfile),
      bundle: true,
      format: "cjs",
      external: ["vscode"],
      logLevel: "silent",
      ...options,
    });
  await Promise.all([
    bundle("src/extension.ts", "dist/node.js", { platform: "node" }),
    bundle("src/extension.ts", "dist/web.js", { platform: "browser" }),
    bundle("src/webview.ts", "dist/webview.js", { platform: "browser", format: "iife" }),
    // Neither needs anything of its host, so that they run in both.
    bundle("tests/first-run.ts", "tests/first-run.js", { platform: "browser" }),
    bundle("tests/after-reload.ts", "tests/after-reload.js", { platform: "browser" }),
    bundle("tests/models.ts", "tests/models.js", { platform: "node" }),
    bundle("tests/terminals.ts", "tests/terminals.js", { platform: "node" }),
    bundle("tests/terminals-late.ts", "tests/terminals-late.js", { platform: "node" }),
    bundle("tests/conversation.ts", "tests/conversation.js", { platform: "node" }),
    bundle("tests/terminals-after-restart.ts", "tests/terminals-after-restart.js", {
      platform: "node",
    }),
    bundle(writeTraces(project), "tests/traces.js", { platform: "browser" }),
    bundle("tests/soak.ts", "tests/soak.js", { platform: "node" }),
  ]);
  return packaged;
}

/** The cases that every runtime runs, with their data, as a test that runs inside. */
function writeTraces(project) {
  const runner = fileURLToPath(new URL("../browser/traces.mjs", import.meta.url));
  const data = JSON.stringify(traceData);
  const source = `
import * as turnkeeper from "turnkeeper";
import { observe } from "./observations";
import { runTraces } from ${JSON.stringify(runner)};
const data = JSON.parse(${JSON.stringify(data)});
export const run = () => observe("traces", () => runTraces(turnkeeper, data));
`;
  const file = "tests/traces.mjs";
  writeFileSync(path.join(project, file), source);
  return file;
}
