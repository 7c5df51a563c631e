// The program that tests start, as the package of this platform has it installed, and the package that it takes
// plugins and the hook for Node from.

import path from "node:path";

import { app, command } from "../node/installed-package.mjs";

const platform = `turnkeeper-${process.platform}-${process.arch}`;
const name = process.platform === "win32" ? "turnkeeper.exe" : "turnkeeper";

export const program = path.join(app, "node_modules", platform, name);

/** The hook of the package, for where there is no program. */
export const nodeHook = path.join(path.dirname(command), "turnkeeper-hook.cjs");

/** What the package's launcher tells the program. */
export const launched = { TURNKEEPER_PACKAGE: path.dirname(path.dirname(command)) };
