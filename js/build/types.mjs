// Types: one file for each entry with everything it needs, as `.d.mts` and as `.d.cts`.

import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

import { rollup } from "rollup";
import { dts } from "rollup-plugin-dts";

import { entries, entryFolder, js } from "./entries.mjs";

// `using` works with every class here; its types are newer than the `lib` that users need.
const HEADER = '/// <reference lib="esnext.disposable" />\n';

// Each bundler gives a `.wasm` another type: a Module, an address, bytes.
const WASM = "declare const wasm: any;\n";

export async function writeTypes(dist) {
  for (const { name } of entries) {
    const text = HEADER + (await declarations(name, BESIDE_MAIN.includes(name)));
    const file = path.join(dist, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(`${file}.d.mts`, text.replace(MAIN, '"./index.mjs"'));
    if (name !== "workerd") writeFileSync(`${file}.d.cts`, text.replace(MAIN, '"./index.cjs"'));
  }
  const wasm = path.join(dist, "turnkeeper.wasm");
  writeFileSync(`${wasm}.d.mts`, `${WASM}export default wasm;\n`);
  writeFileSync(`${wasm}.d.cts`, `${WASM}export = wasm;\n`);
}

/** Entries that have all of the main one, whose declarations they export as they are. */
const BESIDE_MAIN = ["slim", "workerd"];
const MAIN = /(['"])[^'"]*exports\/all\.js\1/;

/**
 * The declarations of an entry, with everything that they need; `besideMain`, those of the main entry are
 * left where they are.
 */
export async function declarations(name, besideMain = false) {
  const bundle = await rollup({
    input: path.join(entryFolder, `${name}.ts`),
    external: (id) => besideMain && id.endsWith("exports/all.js"),
    plugins: [dts({ tsconfig: path.join(js, "tsconfig.json") })],
    onwarn(warning) {
      // Types may refer to each other in a circle.
      if (warning.code === "CIRCULAR_DEPENDENCY") return;
      throw new Error(`types of ${name}: ${warning.message}`);
    },
  });
  const { output } = await bundle.generate({ format: "es" });
  await bundle.close();
  if (output.length !== 1) throw new Error(`types of ${name}: ${output.length} files`);
  return output[0].code.replace(/^\/\/\/ <reference .*\n/gm, "");
}
