// JavaScript: what each entry becomes.
//
// Node gets CommonJS for an entry, and a module that only re-exports it: whoever imports and whoever
// requires then has the same classes. Browsers and bundlers for them get a module. The error class
// is a file of its own beside them, so that it is one class for all entries.
//
// To import a CommonJS file, Node first reads through all of it for the names that it exports, which
// for a large one takes longer than everything else. So `index.cjs` does no more than to name what
// is in `index.main.cjs`, and that finds the Wasm in one more file.

import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

import { build, transform } from "esbuild";

import { entries, js, src } from "./entries.mjs";
import { shortened } from "./glue.mjs";
import { nameExports } from "./names.mjs";
import { packedWasm } from "./packed-wasm.mjs";

const SHARED = "errors";
const PACKED_WASM = "packed-wasm.cjs";

export async function bundle({ glue, dist }) {
  mkdirSync(dist, { recursive: true });
  for (const [format, extension] of [
    ["esm", ".browser.mjs"],
    ["cjs", ".cjs"],
  ]) {
    await write({ name: SHARED, glue, dist, format, extension });
  }
  const packed = packedWasm(readFileSync(path.join(glue, "turnkeeper_bg.wasm")));
  writeFileSync(path.join(dist, PACKED_WASM), declaring("exports.", packed));
  for (const entry of entries) {
    const options = { name: entry.name, glue, packed, dist };
    if (entry.everywhere) {
      const names = await write({ ...options, format: "esm", extension: ".browser.mjs" });
      await write({ ...options, format: "cjs", extension: ".main.cjs" });
      writeFileSync(path.join(dist, `${entry.name}.cjs`), commonJsNames(entry.name, names));
      writeFileSync(path.join(dist, `${entry.name}.mjs`), moduleNames(entry.name, names));
    } else {
      await write({ ...options, format: "esm", extension: ".mjs" });
    }
  }
  if (existsSync(path.join(src, "cli/main.ts"))) await writeCommand({ glue, dist });
  copyFileSync(path.join(glue, "turnkeeper_bg.wasm"), path.join(dist, "turnkeeper.wasm"));
}

/** Writes one file and returns the names that it exports. */
async function write({ name, glue, packed, dist, format, extension }) {
  const { metafile } = await build({
    ...common,
    entryPoints: [path.join(src, `${name}.ts`)],
    outfile: path.join(dist, name + extension),
    format: "esm",
    platform: "neutral",
    // What loads quickly is short; the declarations carry the documentation.
    minify: true,
    mangleProps: /^__(wbg_ptr|destroy_into_raw)$/,
    plugins: [
      format === "cjs" ? wasmBeside : wasmInside(packed),
      useGlue(glue),
      shareErrors(name, format === "cjs" ? ".cjs" : ".browser.mjs"),
    ],
  });
  await makeReadable(path.join(dist, name + extension), format);
  return Object.values(metafile.outputs)[0].exports.sort();
}

/**
 * What esbuild shortens, it leaves on one line and without names. For stack traces the lines are put
 * back, and the names of what is exported.
 */
async function makeReadable(file, format) {
  const named = nameExports(readFileSync(file, "utf8"));
  // With "node", esbuild writes the names of a CommonJS file so that Node finds them when a module
  // imports it.
  const platform = format === "cjs" ? "node" : "neutral";
  const { code } = await transform(named, { format, platform, charset: "utf8" });
  writeFileSync(file, code);
}

const common = {
  absWorkingDir: js,
  bundle: true,
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  metafile: true,
  logLevel: "warning",
};

/** A CommonJS file that names what is in the main one. */
function commonJsNames(name, names) {
  const file = JSON.stringify(`./${path.basename(name)}.main.cjs`);
  const lines = names.map((name) => `exports.${name} = main.${name};\n`);
  return `"use strict";\nconst main = require(${file});\n${lines.join("")}`;
}

/** A module that names what is in the CommonJS file. */
function moduleNames(name, names) {
  const file = JSON.stringify(`./${path.basename(name)}.cjs`);
  return `export {\n${names.map((name) => `  ${name},\n`).join("")}} from ${file};\n`;
}

/**
 * The command is a user of the package like any other: what it imports of js/src besides its own
 * files, and those that it shares with the page, must be an entry, and stays outside.
 */
async function writeCommand({ dist }) {
  const outfile = path.join(dist, "cli.mjs");
  const entryFiles = new Map(
    entries
      .filter(({ everywhere }) => everywhere)
      .map(({ name }) => [path.join(src, `${name}.ts`), `./${name}.mjs`]),
  );
  const keepEntriesOutside = {
    name: "keep-entries-outside",
    setup({ onResolve }) {
      onResolve({ filter: /^\.\.?\// }, ({ path: request, resolveDir, importer }) => {
        if (importer.includes("node_modules")) return undefined;
        const file = path.resolve(resolveDir, request).replace(/\.js$/, ".ts");
        const entry = entryFiles.get(file);
        if (entry) return { path: entry, external: true };
        if (!/^(cli|replay|saved|audit)$/.test(path.dirname(path.relative(src, file)))) {
          return { errors: [{ text: `the command may import only entries, not ${request}` }] };
        }
        return undefined;
      });
    },
  };
  const { metafile } = await build({
    ...common,
    entryPoints: [path.join(src, "cli/main.ts")],
    outfile,
    format: "esm",
    platform: "node",
    target: "node18",
    plugins: [keepEntriesOutside],
    // For what is bundled of other packages, which is CommonJS.
    banner: { js: COMMAND_REQUIRE },
  });
  writeFileSync(path.join(dist, "cli.licenses.txt"), licences(metafile));
  const script = readFileSync(outfile, "utf8").replace(/^#!.*\n/, "");
  writeFileSync(outfile, `#!/usr/bin/env node\n${script}`);
  chmodSync(outfile, 0o755);
}

const COMMAND_REQUIRE =
  'import { createRequire } from "node:module";\nconst require = createRequire(import.meta.url);';

/** The licences of the packages that are bundled in the command. */
function licences({ inputs }) {
  const folders = new Set();
  for (const input of Object.keys(inputs)) {
    const found = /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(input);
    if (found) folders.add(found[0]);
  }
  const texts = [...folders].sort().map((folder) => {
    const home = path.join(js, folder);
    const { name, version } = JSON.parse(readFileSync(path.join(home, "package.json"), "utf8"));
    const file = readdirSync(home).find((file) => /^licen[cs]e/i.test(file));
    if (!file) throw new Error(`${name} has no licence file`);
    return `${name} ${version}\n\n${readFileSync(path.join(home, file), "utf8").trim()}\n`;
  });
  return `The command contains these packages.\n\n${texts.join(`\n${"-".repeat(72)}\n\n`)}`;
}

/** Imports of the error class by any entry but the class itself stay imports, of the file beside. */
function shareErrors(name, extension) {
  const up = name.includes("/") ? "../" : "./";
  return {
    name: "share-errors",
    setup({ onResolve }) {
      onResolve({ filter: /^\.\.?\/errors(\.[jt]s)?$/ }, ({ kind }) =>
        kind === "entry-point" ? undefined : { path: up + SHARED + extension, external: true },
      );
    },
  };
}

const THE_PACKED = /^\.\/packed-wasm\.js$/;

/** The Wasm's text is required from the file beside the bundle. */
const wasmBeside = {
  name: "wasm-beside",
  setup({ onResolve }) {
    onResolve({ filter: THE_PACKED }, () => ({ path: `./${PACKED_WASM}`, external: true }));
  },
};

/** The Wasm's text is in the bundle. */
function wasmInside(packed) {
  return {
    name: "wasm-inside",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: THE_PACKED }, () => ({ path: "text", namespace: "packed-wasm" }));
      onLoad({ filter: /./, namespace: "packed-wasm" }, () => ({
        contents: declaring("export const ", packed),
      }));
    },
  };
}

function declaring(keyword, texts) {
  return Object.entries(texts)
    .map(([name, text]) => `${keyword}${name} = "${text}";\n`)
    .join("");
}

/** Imports of `../glue/…` mean the glue of the flavour that is built. */
function useGlue(glue) {
  return {
    name: "use-glue",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /(^|\/)glue\/[^/]+$/ }, ({ path: request }) => ({
        path: path.join(glue, path.basename(request)),
      }));
      onLoad({ filter: /[\\/]turnkeeper\.js$/ }, () => ({ contents: shortened(glue) }));
      // Workers load the module themselves, as a file beside the script.
      onResolve({ filter: /^\.\/turnkeeper\.wasm$/ }, ({ path: request }) => ({
        path: request,
        external: true,
      }));
    },
  };
}
