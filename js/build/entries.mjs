// The entries of the package, each one file of js/src that users import.

import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));
export const js = path.join(root, "js");
export const src = path.join(js, "src");

const adapterFiles = existsSync(path.join(src, "adapters"))
  ? readdirSync(path.join(src, "adapters")).filter((file) => /^[a-z-]+\.ts$/.test(file))
  : [];

/**
 * `everywhere`: built for Node (CommonJS, and a thin module around it) and for browsers (a module).
 * `subpath` is undefined for an entry that is reached by a condition of another one.
 */
export const entries = [
  { name: "index", subpath: ".", everywhere: true },
  { name: "slim", subpath: "./slim", everywhere: true },
  { name: "workerd", subpath: undefined, everywhere: false },
  ...adapterFiles.sort().map((file) => {
    const name = `adapters/${path.basename(file, ".ts")}`;
    return { name, subpath: `./${name}`, everywhere: true };
  }),
];
