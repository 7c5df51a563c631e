import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";
import { test } from "node:test";

import { build } from "esbuild";

import { makeApp, writeFiles } from "./app.mjs";
import { outcomeOf } from "./page.mjs";
import { EXPECTED, TRACE } from "./trace.mjs";

test("a module worker in a browser gives the trace's verdict, without a bundler", async () => {
  const app = await makeApp({
    "index.html": `<!doctype html><title>app</title><script type="module">
const worker = new Worker("/worker.mjs", { type: "module" });
worker.onmessage = ({ data }) => { window.outcome = data; };
worker.onerror = (event) => { window.outcome = { error: event.message }; };
</script>`,
    "worker.mjs": `import { LoopDetector } from "./node_modules/turnkeeper/dist/index.browser.mjs";
${TRACE}
postMessage(verdicts(LoopDetector));`,
  });
  assert.deepEqual(await outcomeOf(app), EXPECTED);
});

const CONFIG = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .main)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);
const main :Workerd.Worker = (
  modules = [
    (name = "worker.js", esModule = embed "worker.js"),
    (name = "turnkeeper.wasm", wasm = embed "turnkeeper.wasm")
  ],
  compatibilityDate = "2026-01-01"
);
`;

test("a Cloudflare worker gives the trace's verdict", async (t) => {
  const app = await makeApp({
    "app.mjs": `import { LoopDetector } from "turnkeeper";
${TRACE}
export default {
  fetch() {
    try {
      return Response.json(verdicts(LoopDetector));
    } catch (error) {
      return Response.json({ error: String(error) });
    }
  },
};`,
  });
  const out = path.join(app, "out");
  // As wrangler does it: the module is a file beside the script.
  await build({
    entryPoints: [path.join(app, "app.mjs")],
    outfile: path.join(out, "worker.js"),
    bundle: true,
    format: "esm",
    conditions: ["workerd", "worker", "browser"],
    loader: { ".wasm": "copy" },
    assetNames: "[name]",
    logLevel: "silent",
  });
  writeFiles(out, { "config.capnp": CONFIG });

  const require = createRequire(import.meta.url);
  const home = path.dirname(require.resolve("@cloudflare/workerd-linux-64/package.json"));
  const workerd = spawn(
    path.join(home, "bin/workerd"),
    ["serve", "config.capnp", "--control-fd=3"],
    { cwd: out, stdio: ["ignore", "pipe", "pipe", "pipe"] },
  );
  t.after(() => workerd.kill("SIGKILL"));
  const port = await listening(workerd);
  const response = await fetch(`http://127.0.0.1:${port}/`);
  assert.deepEqual(await response.json(), EXPECTED);
});

/** The port that workerd chose, which it tells on its control channel. */
function listening(workerd) {
  return new Promise((resolve, reject) => {
    let said = "";
    workerd.stderr.on("data", (data) => (said += data));
    workerd.once("exit", (code) => reject(new Error(`workerd ended with ${code}: ${said}`)));
    let told = "";
    workerd.stdio[3].on("data", (data) => {
      told += data;
      for (const line of told.split("\n").slice(0, -1)) {
        const event = JSON.parse(line);
        if (event.event === "listen") resolve(event.port);
      }
    });
  });
}
