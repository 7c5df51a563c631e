// TypeScript as a strict user runs it.

import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const compilerOptions = {
  target: "es2022",
  lib: ["es2022", "dom", "dom.iterable", "dom.asynciterable"],
  module: "nodenext",
  types: [],
  strict: true,
  noEmit: true,
  // The clients' declarations need Node's, and have mistakes of their own.
  skipLibCheck: true,
};

/** Compiles the files in the folder `types` of a project with a major version of TypeScript. */
export function compile(project, major) {
  const tsconfig = path.join(project, `tsconfig.${major}.json`);
  writeFileSync(tsconfig, JSON.stringify({ compilerOptions, include: ["types"] }));
  const tsc = fileURLToPath(
    new URL(`../node_modules/typescript-${major}/bin/tsc`, import.meta.url),
  );
  const args = [tsc, "-p", tsconfig, "--pretty", "false"];
  return spawnSync(process.execPath, args, { encoding: "utf8", cwd: project });
}
