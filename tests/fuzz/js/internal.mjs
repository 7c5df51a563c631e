// What the package has inside and exports to nobody: a file of js/src, bundled as the command has it.

import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

const js = fileURLToPath(new URL("../../../js/", import.meta.url));
const { build } = createRequire(new URL("../../../js/package.json", import.meta.url))("esbuild");

/** The exports of files of js/src, which need none of the modules. */
export async function internal(...files) {
  const { outputFiles } = await build({
    stdin: {
      contents: files.map((file) => `export * from "./src/${file}";`).join("\n"),
      resolveDir: js,
    },
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
    mainFields: ["module", "main"],
    // What the command imports by the package's name is that of the app.
    tsconfigRaw: "{}",
    nodePaths: [path.resolve(process.env.TURNKEEPER_APP, "node_modules")],
    logLevel: "silent",
  });
  const script = Buffer.from(outputFiles[0].contents).toString("base64");
  return import(`data:text/javascript;base64,${script}`);
}
