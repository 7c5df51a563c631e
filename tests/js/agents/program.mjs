// The program that tests start, as the package of this platform has it installed, and the package that it takes
// plugins from.

import path from "node:path";

import { app, command } from "../node/installed-package.mjs";

const platform = `turnkeeper-${process.platform}-${process.arch}`;
const name = process.platform === "win32" ? "turnkeeper.exe" : "turnkeeper";

export const program = path.join(app, "node_modules", platform, name);

/** What the package's launcher tells the program. */
export const launched = { TURNKEEPER_PACKAGE: path.dirname(path.dirname(command)) };
