// The entries of the package. Each file of js/src/entries is one that users import, but for those in
// `exports`, which say what belongs to a machine.

import { readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));
export const js = path.join(root, "js");
export const src = path.join(js, "src");

/** The files of the entries. */
export const entryFolder = path.join(src, "entries");

/** The main entries differ in where the Wasm comes from; the others are reached by their names. */
export const MAIN = ["index", "slim"];

/** What entries of the package import from each other, by a name that users cannot: `#watch`. */
export const INTERNAL = "watch";

/** The plugin of Cline, which takes none with another extension than `.js`. */
export const CLINE = "cline";
export const CLINE_PLUGIN = "cline-plugin.js";

const names = readdirSync(entryFolder, { recursive: true })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => file.slice(0, -".ts".length).replaceAll(path.sep, "/"))
  .filter((name) => name !== INTERNAL && !name.startsWith("exports/"))
  .sort();

/** The entries of one machine each, over a module of its own. */
export const machineEntries = readdirSync(path.join(entryFolder, "exports"))
  .map((file) => path.basename(file, ".ts"))
  .filter((name) => name === INTERNAL || names.includes(name));

/** The entries whose machines are not among all. */
export const APART = ["peers", "sessions", INTERNAL];

/** The entries that the package's manifest template does not name. */
export const subpathEntries = names
  .filter((name) => !MAIN.includes(name))
  .map((name) => ({ name, subpath: `./${name}` }));

/** Each is a module. */
export const entries = [
  { name: "index", subpath: "." },
  { name: "slim", subpath: "./slim" },
  ...subpathEntries,
];
