// One bundle for each place: the two extension hosts, from the same source, and the webview.

import { build } from "esbuild";

const common = { bundle: true, minify: true, logLevel: "warning" };
const extension = {
  ...common,
  entryPoints: ["src/extension.ts"],
  format: "cjs",
  external: ["vscode"],
};

await Promise.all([
  build({ ...extension, platform: "node", outfile: "dist/desktop.js" }),
  build({ ...extension, platform: "browser", outfile: "dist/web.js" }),
  build({ ...common, entryPoints: ["src/webview/main.ts"], outfile: "dist/webview.js" }),
]);
