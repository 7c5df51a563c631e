// Loaded into VS Code's server and its extension hosts: log files without a native module.
//
// VS Code writes them, and so the output channels of extensions, with `@vscode/spdlog`. It has to
// be compiled, for which a machine may lack the tools, and without it the files stay empty.

import { registerHooks } from "node:module";

const spdlog = new URL("spdlog.mjs", import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "@vscode/spdlog" ? { url: spdlog, shortCircuit: true } : next(specifier, context),
});
