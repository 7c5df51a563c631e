// The extension as its author would ship it: one bundled file for each place it runs in.

import { cpSync, mkdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

import { makeApp } from "../packaging/app.mjs";

const source = fileURLToPath(new URL("extension", import.meta.url));

/** The extension's sources in a folder that has installed the packed package. */
export async function checkOut() {
  const project = await makeApp();
  for (const name of ["src", "tests", "tsconfig.json"]) {
    cpSync(path.join(source, name), path.join(project, name), { recursive: true });
  }
  return project;
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
    bundle("tests/terminals-after-restart.ts", "tests/terminals-after-restart.js", {
      platform: "node",
    }),
  ]);
  return packaged;
}
