// The program that tests start, and the package that it takes plugins and the hook for Node from.

import path from "node:path";
import { fileURLToPath } from "node:url";

import { command } from "../node/installed-package.mjs";

const built = fileURLToPath(new URL("../../target/debug/turnkeeper", import.meta.url));

/** The program; TURNKEEPER_PROGRAM names another. */
export const program = path.resolve(process.env.TURNKEEPER_PROGRAM ?? built);

/** What the package's launcher tells the program. */
export const launched = { TURNKEEPER_PACKAGE: path.dirname(path.dirname(command)) };
