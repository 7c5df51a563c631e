// JavaScript: what each entry becomes.
//
// Node gets CommonJS for an entry, and a module that only re-exports it: whoever imports and whoever
// requires then has the same classes. Browsers and bundlers for them get a module. The error class
// is a file of its own beside them, so that it is one class for all entries.
//
// To import a CommonJS file, Node first reads through all of it for the names that it exports. So
// `index.cjs` does no more than to name what is in `index.main.cjs`.
//
// The main entries differ in where the module comes from, and share the rest: a file called `core`.
//
// workerd compiles no Wasm at run time, but imports it as a compiled module. There the entries of single machines
// share `core` and the one module of all, too; the other agents' detectors have a module of their own.
//
// What Node loads has its source map beside it, without the sources' text. What browsers load has none: a
// bundler would warn of the sources that it does not find. Nor has the command, whose file can be read.

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
import { deflateRawSync } from "node:zlib";

import { build } from "esbuild";

import { INTERNAL, MAIN, entries, entryFolder, js, machineEntries, src } from "./entries.mjs";

const SHARED = "errors";
/** How the files for workerd end. */
const WORKERD = ".workerd.mjs";
/** What stands in source maps for the parts that are written here. */
const WRITTEN = new Map([
  ["packed:module", path.join(src, "boundary/embedded-wasm.js")],
  ["core:all", path.join(entryFolder, "exports/all.ts")],
]);
/** What the main entries share: what users import, and what finds and starts the module. */
const CORE = "core";
const SHARED_BY_MAIN = ["boundary/arguments", "boundary/runtime", "boundary/unpack"];
const ERRORS = path.join(src, "boundary/errors.ts");
const WASM = "turnkeeper_bg.wasm";
/** The same, deflated with patience; a module that is built quickly has none. */
const DEFLATED = "turnkeeper_bg.deflate";

/** The entries that carry a module, and what its file is called. */
const MODULE_OF = new Map([["index", "all"], ...machineEntries.map((name) => [name, name])]);
/** The entries whose machines are not among all. */
const APART = ["peers", INTERNAL];

export async function bundle({ glue, dist }) {
  mkdirSync(dist, { recursive: true });
  const packages = new Set();
  const all = await exportsOf(path.join(entryFolder, "exports/all.ts"), glue);
  const options = { all, glue, dist };
  await Promise.all([
    write({ ...options, name: SHARED, format: "esm", extension: ".browser.mjs" }),
    write({ ...options, name: SHARED, format: "cjs", extension: ".cjs" }),
    write({ ...options, name: CORE, format: "esm", extension: ".browser.mjs" }),
    write({ ...options, name: CORE, format: "cjs", extension: ".main.cjs" }),
    ...[...entries, { name: INTERNAL }].map((entry) => writeEntry(entry, { ...options, packages })),
    writeCommand({ dist, packages }),
    writeHook({ dist }),
    writeLauncher({ dist }),
  ]);
  writeModules(glue, dist);
  await Promise.all(PLUGINS.map((name) => writePlugin(name, dist)));
  writeFileSync(path.join(dist, "licenses.txt"), licences(packages));
  copyFileSync(path.join(glue, WASM), path.join(dist, "turnkeeper.wasm"));
  for (const name of APART) {
    copyFileSync(path.join(glueOf(glue, name), WASM), path.join(dist, `${name}.wasm`));
  }
}

async function writeEntry({ name }, { packages, ...options }) {
  const esm = { ...options, name, packages, format: "esm", extension: ".browser.mjs" };
  const cjs = { ...options, name, format: "cjs", extension: ".main.cjs" };
  const [names] = await Promise.all([write(esm), write(cjs)]);
  writeFileSync(path.join(options.dist, `${name}.cjs`), commonJsNames(name, names));
  writeFileSync(path.join(options.dist, `${name}.mjs`), moduleNames(name, names));
  if (APART.includes(name)) await write({ ...options, name, format: "esm", extension: WORKERD });
  else if (MODULE_OF.has(name)) {
    writeFileSync(path.join(options.dist, name + WORKERD), workerdNames(names));
  }
}

/** Writes one file and returns the names that it exports. */
async function write({ name, all, glue, dist, packages, format, extension }) {
  const outfile = path.join(dist, name + extension);
  const { metafile } = await build({
    ...common,
    ...source(name, extension),
    outfile,
    format,
    sourcemap: format === "cjs",
    platform: "neutral",
    // What plugins of agents ask of Node, which runs them.
    external: ["node:*"],
    plugins: [
      useGlue(glueOf(glue, name)),
      useModule(format, MODULE_OF.get(name)),
      ...(MAIN.includes(name) ? [shareCore(all, extension)] : []),
      shareErrors(name, format === "cjs" ? ".cjs" : ".browser.mjs"),
      keepPackageOutside(name, extension),
    ],
  });
  exportOwnNames(outfile);
  nameSourcesInPackage(dist, outfile);
  addPackages(packages, metafile);
  return Object.values(metafile.outputs)
    .flatMap((output) => output.exports)
    .sort();
}

/** What a file is made from. */
function source(name, extension) {
  if (extension === WORKERD) {
    const contents = `export * from "./exports/${name}.js";\n${startIn(name, "../boundary/runtime.js")}`;
    return {
      stdin: { contents, resolveDir: entryFolder, sourcefile: `entries/${name}${WORKERD}` },
    };
  }
  if (name === SHARED) return { entryPoints: [ERRORS] };
  if (name !== CORE) return { entryPoints: [path.join(entryFolder, `${name}.ts`)] };
  const files = ["./exports/all", ...SHARED_BY_MAIN.map((file) => `../${file}`)];
  const contents = files.map((file) => `export * from "${file}.js";\n`).join("");
  return { stdin: { contents, resolveDir: entryFolder, sourcefile: `entries/${CORE}.ts` } };
}

/** What hands an entry in workerd its module. */
function startIn(name, runtime) {
  return `import module from "./${name}.wasm";
import { setSource } from "${runtime}";
setSource(() => module);
`;
}

/** The names that a file exports. */
async function exportsOf(file, glue) {
  const options = {
    ...common,
    entryPoints: [file],
    format: "esm",
    outdir: "nowhere",
    write: false,
  };
  const { metafile } = await build({ ...options, plugins: [useGlue(glue)] });
  return Object.values(metafile.outputs).flatMap((output) => output.exports);
}

/** Imports of what the main entries share stay imports, of the file beside; of what users import by name. */
function shareCore(all, extension) {
  const core = { path: `./${CORE}${extension}`, external: true };
  const contents = `export { ${all.join(", ")} } from ${JSON.stringify(core.path)};`;
  return {
    name: "share-core",
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^(\.\.\/)+boundary\// }, ({ path: request }) =>
        SHARED_BY_MAIN.some((file) => request.endsWith(`../${file}.js`)) ? core : undefined,
      );
      onResolve({ filter: /^\.\/exports\/all\.js$/ }, () => ({ path: "all", namespace: CORE }));
      onResolve({ filter: /.*/, namespace: CORE }, () => core);
      onLoad({ filter: /.*/, namespace: CORE }, () => ({ contents, loader: "js" }));
    },
  };
}

/**
 * esbuild's helper takes every enumerable name for an export. One that somebody has put on all objects is
 * no getter, and the file could not be loaded.
 */
function exportOwnNames(bundle) {
  const code = readFileSync(bundle, "utf8");
  if (!code.includes("var __export =")) return;
  const own = code.replace("for (var name in all)", "for (var name of Object.keys(all))");
  if (own === code) throw new Error(`${bundle}: esbuild's helper for exports has changed`);
  writeFileSync(bundle, own);
}

/**
 * esbuild names the sources as they lie here, seen from the bundle. Where the package is installed that
 * would be outside the package, so its folder stands in the place of js.
 */
function nameSourcesInPackage(dist, bundle) {
  const file = `${bundle}.map`;
  if (!existsSync(file)) return;
  const map = JSON.parse(readFileSync(file, "utf8"));
  const there = path.dirname(path.join(js, "dist", path.relative(dist, bundle)));
  map.sources = map.sources.map((source) => {
    const here = WRITTEN.get(source) ?? path.resolve(path.dirname(bundle), source);
    return path.relative(there, here).split(path.sep).join("/");
  });
  writeFileSync(file, JSON.stringify(map));
}

const common = {
  absWorkingDir: js,
  bundle: true,
  target: "es2022",
  // A single character beyond Latin-1 would make an engine keep the whole file, the module in it
  // included, in two bytes a character, and read it more slowly.
  charset: "ascii",
  legalComments: "none",
  sourcemap: true,
  // Places and names are enough for a stack trace; the text would be a third of the package.
  sourcesContent: false,
  metafile: true,
  logLevel: "warning",
};

/** A CommonJS file that names what is in the main one. */
function commonJsNames(name, names) {
  const file = JSON.stringify(`./${path.basename(name)}.main.cjs`);
  const lines = names.map((name) => `exports.${name} = main.${name};\n`);
  return `"use strict";\nconst main = require(${file});\n${lines.join("")}`;
}

/** What workerd loads of a machine that is among all, and of all. */
function workerdNames(names) {
  const core = `./${CORE}.browser.mjs`;
  const named = names.map((name) => `  ${name},\n`).join("");
  return `${startIn("turnkeeper", core)}export {\n${named}} from "${core}";\n`;
}

/** A module that names what is in the CommonJS file. */
function moduleNames(name, names) {
  const file = JSON.stringify(`./${path.basename(name)}.cjs`);
  const named = names.filter((name) => name !== "default");
  const all = `export {\n${named.map((name) => `  ${name},\n`).join("")}} from ${file};\n`;
  // To a module, the default of a CommonJS file is all of it.
  if (named.length === names.length) return all;
  return `${all}import main from ${file};\nexport default main.default;\n`;
}

/** What the command has inside of js/src: its own files, and those that it shares with the page. */
const OF_THE_COMMAND =
  /^(cli|agents|analysis|saved|messages|boundary[\\/](generated[\\/].*|arguments|errors)\.ts$)/;

/**
 * The command is a user of the package like any other: it imports `turnkeeper`, which stays outside, and
 * of js/src what needs no Wasm. It is one file, which its worker threads start as well.
 */
export async function writeCommand({ dist, packages }) {
  const outfile = path.join(dist, "cli.mjs");
  const keepPackageOutside = {
    name: "keep-package-outside",
    setup({ onResolve }) {
      onResolve({ filter: /^turnkeeper(\/peers)?$/ }, ({ path: name }) => ({
        path: name === "turnkeeper" ? "./index.mjs" : "./peers.mjs",
        external: true,
      }));
      onResolve({ filter: /^\.\.?\// }, ({ path: request, resolveDir, importer }) => {
        if (importer.includes("node_modules")) return undefined;
        const file = path.resolve(resolveDir, request).replace(/\.js$/, ".ts");
        if (OF_THE_COMMAND.test(path.relative(src, file))) return undefined;
        return { errors: [{ text: `the command may not have ${request} inside` }] };
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
    charset: "utf8",
    sourcemap: false,
    // Where a package has modules as well, they can be bundled, and its CommonJS often cannot.
    mainFields: ["module", "main"],
    jsx: "automatic",
    jsxImportSource: "preact",
    plugins: [keepPackageOutside],
    banner: { js: COMMAND_BANNER },
  });
  addPackages(packages, metafile);
  nameSourcesInPackage(dist, outfile);
  chmodSync(outfile, 0o755);
}

/**
 * What the hooks of agents start, at each step of theirs: a small file that loads a machine when an event
 * needs it.
 */
async function writeHook({ dist }) {
  const outfile = path.join(dist, "turnkeeper-hook.cjs");
  await build({
    ...common,
    entryPoints: [path.join(src, "agents/hook-main.ts")],
    outfile,
    format: "cjs",
    platform: "node",
    target: "node18",
    external: ["./watch.cjs"],
  });
  nameSourcesInPackage(dist, outfile);
}

/** The package's command, which starts the platform's program. */
async function writeLauncher({ dist }) {
  const outfile = path.join(dist, "turnkeeper.mjs");
  await build({
    ...common,
    entryPoints: [path.join(src, "launcher.ts")],
    outfile,
    format: "esm",
    platform: "node",
    target: "node18",
    sourcemap: false,
    external: ["./cli.mjs", "./turnkeeper-hook.cjs"],
    banner: { js: "#!/usr/bin/env node" },
  });
  chmodSync(outfile, 0o755);
}

/** Plugins of agents that `turnkeeper install` copies out of the package. */
const PLUGINS = ["opencode", "pi"];

/** A plugin with all that it needs, but for the module, since nothing of the package is where agents load it from. */
async function writePlugin(name, dist) {
  const inPackage = {
    name: "in-package",
    setup({ onResolve }) {
      // The program puts it beside the plugin.
      onResolve({ filter: /\/modules\/watch\.mjs$/ }, () => ({
        path: "./turnkeeper-watch.mjs",
        external: true,
      }));
    },
  };
  await build({
    ...common,
    entryPoints: [path.join(dist, `${name}.browser.mjs`)],
    outfile: path.join(dist, "plugins", `${name}.mjs`),
    format: "esm",
    platform: "neutral",
    external: ["node:*"],
    sourcemap: false,
    plugins: [inPackage],
  });
}

// Some of the packages that are bundled are CommonJS, and need a `require`.
const COMMAND_BANNER = `#!/usr/bin/env node
import { createRequire } from "node:module";
const require = createRequire(import.meta.url);`;

/** Licences that ask for no more than a notice. */
const PERMISSIVE = new Set(["MIT", "ISC", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0"]);

/** Adds the folders of the packages that a bundle contains. */
function addPackages(packages, { inputs }) {
  for (const input of Object.keys(inputs)) {
    const found = /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(input);
    if (found) packages?.add(found[0]);
  }
}

/** The licences of the packages that are bundled. */
function licences(packages) {
  const texts = [...packages].sort().map((folder) => {
    const home = path.join(js, folder);
    const manifest = JSON.parse(readFileSync(path.join(home, "package.json"), "utf8"));
    const { name, version, license } = manifest;
    if (!PERMISSIVE.has(license))
      throw new Error(`${name} is under ${license}, not a known licence`);
    const file = readdirSync(home).find((file) => /^licen[cs]e/i.test(file));
    if (!file) throw new Error(`${name} has no licence file`);
    return `${name} ${version} (${license})\n\n${readFileSync(path.join(home, file), "utf8").trim()}\n`;
  });
  return `The files beside this one contain these packages.\n\n${texts.join(`\n${"-".repeat(72)}\n\n`)}`;
}

/**
 * An entry that imports the package by its name, as a user would, gets the module that fits where it
 * runs: there is one Wasm module, whatever is imported.
 */
function keepPackageOutside(name, extension) {
  return {
    name: "keep-package-outside",
    setup({ onResolve }) {
      onResolve({ filter: /^turnkeeper($|\/)/ }, ({ path: name }) => ({
        path: name,
        external: true,
      }));
      // An adapter may run in workerd, which has a file of its own for it. A plugin of an agent's does not, and agents'
      // loaders know paths best.
      const beside = `./${INTERNAL}${extension === ".main.cjs" ? ".cjs" : extension}`;
      onResolve({ filter: new RegExp(`^#${INTERNAL}$`) }, ({ path: request }) => ({
        path: name.includes("/") ? request : beside,
        external: true,
      }));
    },
  };
}

/** Imports of the error class by any entry but the class itself stay imports, of the file beside. */
function shareErrors(name, extension) {
  const up = name.includes("/") ? "../" : "./";
  return {
    name: "share-errors",
    setup({ onResolve }) {
      onResolve({ filter: /^(\.\.?\/)+(boundary\/)?errors(\.[jt]s)?$/ }, ({ kind }) =>
        kind === "entry-point" ? undefined : { path: up + SHARED + extension, external: true },
      );
    },
  };
}

/** A machine's own glue and module, and those of all machines where it has none: a build for tests. */
function glueOf(glue, name) {
  const own = path.join(glue, name);
  return existsSync(path.join(own, WASM)) ? own : glue;
}

/** `../glue/…` means the glue of the flavour that is built. */
function useGlue(glue) {
  return {
    name: "use-glue",
    setup({ onResolve }) {
      onResolve({ filter: /(^|\/)glue\/(watch\/)?[^/]+$/ }, ({ path: request }) => ({
        path: path.join(glue, path.basename(request)),
      }));
      // Workers load the module themselves, as a file beside the script.
      onResolve({ filter: /^\.\/\w+\.wasm$/ }, ({ path: request }) => ({
        path: request,
        external: true,
      }));
    },
  };
}

/** Writes each module as the file that its entry loads: deflated, in base64, in a script that bundlers follow. */
function writeModules(glue, dist) {
  mkdirSync(path.join(dist, "modules"), { recursive: true });
  const packed = new Map();
  for (const [name, file] of MODULE_OF) {
    const folder = glueOf(glue, name);
    if (!packed.has(folder)) packed.set(folder, deflated(folder).toString("base64"));
    const script = `export default "${packed.get(folder)}";\n`;
    writeFileSync(path.join(dist, `modules/${file}.mjs`), script);
  }
}

function deflated(folder) {
  const small = path.join(folder, DEFLATED);
  if (existsSync(small)) return readFileSync(small);
  return deflateRawSync(readFileSync(path.join(folder, WASM)), { level: 1 });
}

/**
 * `embedded-wasm.js` means the file that {@link writeModules} has written. There is one copy of each, a module,
 * which CommonJS requires at the first use. Nodes before 20.19 cannot do that, and read its text; in a bundle
 * it is always there. They load `node:fs` by a function of theirs, for bundlers warn of a `require` that
 * they cannot read, and fail at one of Node's where there is no Node.
 */
function useModule(format, name) {
  const file = JSON.stringify(`./modules/${name}.mjs`);
  const contents = {
    esm: `import packed from ${file};
export default () => packed;`,
    cjs: `export default function packed() {
  try {
    return require(${file}).default;
  } catch (error) {
    const load = module.constructor._load;
    if (load === undefined) throw error;
    const text = load("node:fs").readFileSync(__dirname + ${file}.slice(1), "latin1");
    return text.slice(text.indexOf('"') + 1, text.lastIndexOf('"'));
  }
}`,
  }[format];
  return {
    name: "use-module",
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /\/embedded-wasm\.js$/ }, () => ({
        path: "module",
        namespace: "packed",
      }));
      onResolve({ filter: /^\.\/modules\// }, ({ path: request }) => ({
        path: request,
        external: true,
      }));
      onLoad({ filter: /.*/, namespace: "packed" }, () => ({ contents, loader: "js" }));
    },
  };
}
