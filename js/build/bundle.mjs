// JavaScript: what each entry becomes, a module that Node, browsers and bundlers load. CommonJS requires it, which
// Node does by itself.
//
// The error class is a file of its own beside the entries, so that it is one class for all. The default entry has the loop
// detector of that machine's entry, and carries a module of the others. Where the host brings one module of all machines,
// what is imported is a file called `core`.
//
// workerd compiles no Wasm at run time, but imports it as a compiled module. There the entries of single machines
// are the default entry, too; the entries whose machines are not among all have a module of their own.

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

import {
  APART,
  CLINE,
  CLINE_PLUGIN,
  INTERNAL,
  entries,
  entryFolder,
  js,
  machineEntries,
  src,
} from "./entries.mjs";

const SHARED = "errors";
/** How the files end. */
const MODULE = ".mjs";
const WORKERD = ".workerd.mjs";
/** What users import over a module of all machines, and what finds and starts it. */
const CORE = "core";
const OF_CORE = ["boundary/arguments", "boundary/runtime"];
/** What the default entry takes of the detector's, and the glue of the rest. */
const DETECTOR = "loop-detector";
const OF_DETECTOR = [path.join(src, "loop", DETECTOR), path.join(entryFolder, DETECTOR)];
const OTHERS = "others";
const ERRORS = path.join(src, "boundary/errors.ts");
const WASM = "turnkeeper_bg.wasm";
/** The same, deflated with patience; a module that is built quickly has none. */
const DEFLATED = "turnkeeper_bg.deflate";

/** The entries that carry a module. */
const WITH_MODULE = ["index", ...machineEntries];
/** The module that copies of plugins import, and so a file of its own. */
const COPIED_MODULE = `modules/${INTERNAL}.mjs`;

export async function bundle({ glue, dist, without }) {
  mkdirSync(dist, { recursive: true });
  const isMade = (name) => !without.includes(name);
  const packages = new Set();
  const all = await exportsOf(path.join(entryFolder, "exports/all.ts"), glue);
  const options = { all, glue, dist };
  await Promise.all([
    write({ ...options, name: SHARED }),
    write({ ...options, name: CORE }),
    ...[...entries, { name: INTERNAL }]
      .filter(({ name }) => isMade(name))
      .map((entry) => writeEntry(entry, { ...options, packages })),
    writeLauncher({ dist }),
  ]);
  if (isMade(INTERNAL)) {
    writeCopiedModule(glue, dist);
    await Promise.all(PLUGINS.map((name) => writePlugin(name, dist)));
  }
  writeFileSync(path.join(dist, "licenses.txt"), licences(packages));
  copyFileSync(path.join(glue, WASM), path.join(dist, "turnkeeper.wasm"));
  for (const name of APART.filter(isMade)) {
    copyFileSync(path.join(glueOf(glue, name), WASM), path.join(dist, `${name}.wasm`));
  }
}

async function writeEntry({ name }, options) {
  await write({ ...options, name });
  if (APART.includes(name)) await write({ ...options, name, extension: WORKERD });
  else if (name === "index") {
    writeFileSync(path.join(options.dist, name + WORKERD), workerdNames(options.all));
  }
}

/** Writes one file. */
async function write({ name, all, glue, dist, packages, extension = MODULE }) {
  const { metafile } = await build({
    ...common,
    ...source(name, extension),
    outfile: path.join(dist, name === CLINE ? CLINE_PLUGIN : name + extension),
    format: "esm",
    platform: "neutral",
    // What plugins of agents ask of Node, which runs them.
    external: ["node:*"],
    plugins: [
      useGlue(glueOf(glue, name)),
      useModule(name, glue),
      ...(name === "slim" ? [shareCore(all)] : []),
      ...(name === "index" ? [takeDetector] : []),
      shareErrors(name),
      keepPackageOutside(name, extension),
    ],
  });
  addPackages(packages, metafile);
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
  const files = ["./exports/all", ...OF_CORE.map((file) => `../${file}`)];
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
  return Object.values(metafile.outputs)
    .flatMap((output) => output.exports)
    .sort();
}

/** Imports of the detector stay imports, of its entry beside. */
const takeDetector = {
  name: "take-detector",
  setup({ onResolve }) {
    onResolve({ filter: new RegExp(`/${DETECTOR}\\.js$`) }, ({ path: request, resolveDir }) =>
      OF_DETECTOR.includes(path.resolve(resolveDir, path.dirname(request), DETECTOR))
        ? { path: `./${DETECTOR}${MODULE}`, external: true }
        : undefined,
    );
  },
};

/** Imports of what is in `core` stay imports, of the file beside; of what users import by name. */
function shareCore(all) {
  const core = { path: `./${CORE}${MODULE}`, external: true };
  const contents = `export { ${all.join(", ")} } from ${JSON.stringify(core.path)};`;
  return {
    name: "share-core",
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^(\.\.\/)+boundary\// }, ({ path: request }) =>
        OF_CORE.some((file) => request.endsWith(`../${file}.js`)) ? core : undefined,
      );
      onResolve({ filter: /^\.\/exports\/all\.js$/ }, () => ({ path: "all", namespace: CORE }));
      onResolve({ filter: /.*/, namespace: CORE }, () => core);
      onLoad({ filter: /.*/, namespace: CORE }, () => ({ contents, loader: "js" }));
    },
  };
}

const common = {
  absWorkingDir: js,
  bundle: true,
  target: "es2022",
  // A single character beyond Latin-1 would make an engine keep the whole file, the module in it
  // included, in two bytes a character, and read it more slowly.
  charset: "ascii",
  legalComments: "none",
  metafile: true,
  logLevel: "warning",
};

/** The file that workerd loads for the machines that are among all. */
function workerdNames(names) {
  const core = `./${CORE}${MODULE}`;
  const named = names.map((name) => `  ${name},\n`).join("");
  return `${startIn("turnkeeper", core)}export {\n${named}} from "${core}";\n`;
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
    entryPoints: [path.join(dist, name + MODULE)],
    outfile: path.join(dist, "plugins", `${name}.mjs`),
    format: "esm",
    platform: "neutral",
    external: ["node:*"],
    plugins: [inPackage],
  });
}

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
      const beside = `./${INTERNAL}${extension}`;
      onResolve({ filter: new RegExp(`^#${INTERNAL}$`) }, ({ path: request }) => ({
        path: name.includes("/") ? request : beside,
        external: true,
      }));
    },
  };
}

/** Imports of the error class by any entry but the class itself stay imports, of the file beside. */
function shareErrors(name) {
  const up = name.includes("/") ? "../" : "./";
  return {
    name: "share-errors",
    setup({ onResolve }) {
      onResolve({ filter: /^(\.\.?\/)+(boundary\/)?errors(\.[jt]s)?$/ }, ({ kind }) =>
        kind === "entry-point" ? undefined : { path: up + SHARED + MODULE, external: true },
      );
    },
  };
}

/** An entry's own glue and module, and those of all machines where it has none: a build for tests. */
function glueOf(glue, name) {
  const own = path.join(glue, name === "index" ? OTHERS : name);
  return existsSync(path.join(own, WASM)) ? own : glue;
}

/** `../glue/…` means the glue of the flavour that is built. */
function useGlue(glue) {
  return {
    name: "use-glue",
    setup({ onResolve }) {
      onResolve({ filter: /(^|\/)glue\/(\w+\/)?[^/]+$/ }, ({ path: request }) => ({
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

/** Writes the module that copies of plugins import. */
function writeCopiedModule(glue, dist) {
  const file = path.join(dist, COPIED_MODULE);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, scriptOf(glueOf(glue, INTERNAL)));
}

/** A module as a script: deflated, in base64. */
function scriptOf(folder) {
  return `export default "${deflated(folder).toString("base64")}";\n`;
}

function deflated(folder) {
  const small = path.join(folder, DEFLATED);
  if (existsSync(small)) return readFileSync(small);
  return deflateRawSync(readFileSync(path.join(folder, WASM)), { level: 1 });
}

/** `embedded-wasm.js` means the entry's module, which becomes a part of it, unless copies of plugins import it. */
function useModule(name, glue) {
  const isApart = name === INTERNAL;
  return {
    name: "use-module",
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /\/embedded-wasm\.js$/ }, () =>
        isApart
          ? { path: `./${COPIED_MODULE}`, external: true }
          : { path: "module", namespace: "packed" },
      );
      onLoad({ filter: /.*/, namespace: "packed" }, () => {
        if (!WITH_MODULE.includes(name)) throw new Error(`${name} has no module`);
        return { contents: scriptOf(glueOf(glue, name)), loader: "js" };
      });
    },
  };
}
