// Types. Each declaration stands once: what several entries need is in a file that they import from.

import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

import { rollup } from "rollup";
import { dts } from "rollup-plugin-dts";

import { entries, entryFolder, js } from "./entries.mjs";

// `using` works with every class here; its types are newer than the `lib` that users need.
const HEADER = '/// <reference lib="esnext.disposable" />\n';

// Each bundler gives a `.wasm` another type: a Module, an address, bytes.
const WASM = "declare const wasm: any;\n";

/** The folder of what several entries share. */
const SHARED = "types";

export async function writeTypes(dist) {
  const output = await generate(
    Object.fromEntries(entries.map(({ name }) => [name, fileOf(name)])),
    {
      entryFileNames: "[name].d.mts",
      chunkFileNames: `${SHARED}/[name].d.mts`,
      minifyInternalExports: false,
    },
  );
  for (const { fileName, code } of output) {
    const file = path.join(dist, fileName);
    const text = HEADER + withoutHeaders(code).replace(/\.d\.mts(?=['"])/g, ".mjs");
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  writeFileSync(path.join(dist, "turnkeeper.wasm.d.mts"), `${WASM}export default wasm;\n`);
}

/** The declarations of an entry that `writeTypes` has written, with everything that they need. */
export async function declarations(dist, name) {
  const [{ code }, ...others] = await generate(path.join(dist, `${name}.d.mts`), {}, {});
  if (others.length > 0) throw new Error(`types of ${name} are in several files`);
  return withoutHeaders(code);
}

async function generate(input, options, plugin = { tsconfig: path.join(js, "tsconfig.json") }) {
  const bundle = await rollup({
    input,
    plugins: [dts(plugin)],
    onwarn(warning) {
      // Types may refer to each other in a circle, and an entry to one that no entry exports.
      const isMeant = /references private shared type/.test(warning.message);
      if (isMeant || warning.code === "CIRCULAR_DEPENDENCY") return;
      throw new Error(`types: ${warning.message}`);
    },
  });
  const { output } = await bundle.generate({ format: "es", ...options });
  await bundle.close();
  return output;
}

function fileOf(name) {
  return path.join(entryFolder, `${name}.ts`);
}

function withoutHeaders(code) {
  return code.replace(/^\/\/\/ <reference .*\n/gm, "");
}
