// Types. Each declaration stands once: what several entries need is in a file that they import from.
//
// The `.d.cts` of an entry is all that it declares; its `.d.mts` names the same, so that whoever imports and
// whoever requires has the same types.

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
      entryFileNames: "[name].d.cts",
      chunkFileNames: `${SHARED}/[name].d.cts`,
      minifyInternalExports: false,
    },
  );
  for (const { fileName, code, exports, isEntry } of output) {
    const file = path.join(dist, fileName);
    const text = HEADER + withoutHeaders(code).replace(/\.d\.cts(?=['"])/g, ".cjs");
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    if (isEntry) writeFileSync(file.replace(/cts$/, "mts"), moduleTypes(fileName, exports));
  }
  const wasm = path.join(dist, "turnkeeper.wasm");
  writeFileSync(`${wasm}.d.mts`, `${WASM}export default wasm;\n`);
  writeFileSync(`${wasm}.d.cts`, `${WASM}export = wasm;\n`);
}

function moduleTypes(file, exports) {
  const from = JSON.stringify(`./${path.basename(file, ".d.cts")}.cjs`);
  const byDefault = exports.includes("default") ? `export { default } from ${from};\n` : "";
  return `export * from ${from};\n${byDefault}`;
}

/** The declarations of an entry, with everything that they need. */
export async function declarations(name) {
  const [{ code }, ...others] = await generate(fileOf(name), {});
  if (others.length > 0) throw new Error(`types of ${name} are in several files`);
  return withoutHeaders(code);
}

async function generate(input, options) {
  const bundle = await rollup({
    input,
    plugins: [dts({ tsconfig: path.join(js, "tsconfig.json") })],
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
