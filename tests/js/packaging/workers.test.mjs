import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
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
    "worker.mjs": `import { LoopDetector } from "./node_modules/turnkeeper/dist/index.mjs";
${TRACE}
postMessage(verdicts(LoopDetector));`,
  });
  assert.deepEqual(await outcomeOf(app), EXPECTED);
});

const CONFIG = (modules) => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .main)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);
const main :Workerd.Worker = (
  modules = [
    (name = "worker.js", esModule = embed "worker.js"),
    ${modules.map((name) => `(name = "${name}", wasm = embed "${name}")`).join(",\n    ")}
  ],
  compatibilityDate = "2026-01-01"
);
`;

/** What a worker answers that runs `lines`, whose `outcome` is the answer, and the modules that it carries. */
async function askWorker(t, imports, lines) {
  const app = await makeApp({
    "app.mjs": `${imports}
export default {
  async fetch() {
    try {
      ${lines}
      return Response.json(outcome);
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
  const modules = readdirSync(out).filter((name) => name.endsWith(".wasm"));
  writeFiles(out, { "config.capnp": CONFIG(modules) });

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
  return { modules, outcome: await response.json() };
}

test("a Cloudflare worker gives the trace's verdict", async (t) => {
  const imports = `import { LoopDetector } from "turnkeeper";\n${TRACE}`;
  const { modules, outcome } = await askWorker(
    t,
    imports,
    "const outcome = verdicts(LoopDetector);",
  );
  assert.deepEqual({ modules, outcome }, { modules: ["turnkeeper.wasm"], outcome: EXPECTED });
});

test("in a Cloudflare worker each machine works by itself, over one module, and saved sessions and the adapters that watch over others", async (t) => {
  const imports = `
import * as all from "turnkeeper";
import { LoopDetector, guardStream } from "turnkeeper/loop-detector";
import { GhostBlockAssembler } from "turnkeeper/ghost-block";
import { dedupeHistory } from "turnkeeper/history-deduper";
import { SummaryInjector } from "turnkeeper/summary-injector";
import { TerminalSelector, pathRelation } from "turnkeeper/terminal-selector";
import { eventsOf } from "turnkeeper/sessions";
import { hasLooped } from "turnkeeper/adapters/ai-sdk";
import { turnkeeperMiddleware } from "turnkeeper/adapters/langchain";
import { turnkeeperFilter } from "turnkeeper/adapters/openai-agents";
${["anthropic", "gemini", "openai", "vscode"].map((name) => `import { streamAdapter as ${name} } from "turnkeeper/adapters/${name}";`).join("\n")}
const call = (n) => [
  { type: "function_call", callId: String(n), name: "read", arguments: "{}" },
  { type: "function_call_result", callId: String(n), output: "same" },
];`;
  const lines = `
      const detector = new LoopDetector();
      const adapters = [anthropic, gemini, openai, vscode].map((adapter) => typeof adapter());
      async function* stream() { for (;;) yield { value: "I will try again. " }; }
      for await (const _ of guardStream(stream(), detector, { adapter: vscode(), onLoopDetected() {} }));
      const filter = turnkeeperFilter();
      const input = [{ role: "user", content: "Go." }, ...[0, 1, 2].flatMap(call)];
      const steps = [{ content: [] }];
      const outcome = {
        isOne: all.LoopDetector === LoopDetector && all.dedupeHistory === dedupeHistory,
        stream: detector.verdict.action,
        relation: pathRelation("/a", "/a/b", { platform: "posix" }),
        terminals: new TerminalSelector({ platform: "posix" }).terminals.length,
        turn: new SummaryInjector().startTurn({ task: "Go." }),
        references: new GhostBlockAssembler({ root: "/a" }).inspect("See @[a.ts] now.").references.length,
        messages: dedupeHistory([{ role: "user", content: "Go." }]).messages.length,
        events: eventsOf([{ role: "user", content: "Go." }]).length,
        adapters,
        looped: hasLooped(new LoopDetector())({ steps }),
        middleware: turnkeeperMiddleware().name,
        filtered: filter({ modelData: { input } }).input.length,
      };`;
  const { modules, outcome } = await askWorker(t, imports, lines);
  assert.deepEqual(modules, ["sessions.wasm", "turnkeeper.wasm", "watch.wasm"]);
  assert.deepEqual(outcome, {
    isOne: true,
    stream: "stop",
    relation: "parent",
    terminals: 0,
    turn: 1,
    references: 1,
    messages: 1,
    events: 1,
    adapters: Array(4).fill("function"),
    looped: false,
    middleware: "turnkeeper",
    filtered: 7,
  });
});

test("in a Cloudflare worker the drop-ins work over the module of the other agents' detectors", async (t) => {
  const imports = `
import { LoopDetector } from "turnkeeper/peers";
import { ToolRepetitionDetector } from "turnkeeper/replace/roo";
import { LoopDetectionService } from "turnkeeper/replace/deepv";
import "turnkeeper/replace/gemini-cli";
import "turnkeeper/replace/cline";`;
  const lines = `
      const detector = new LoopDetector({ profile: "roo", limit: 2 });
      const call = { type: "tool_call", name: "ls", args: {} };
      const service = new LoopDetectionService({ getModel: () => "m" });
      service.reset("p");
      const value = { callId: "1", name: "ls", args: {} };
      const outcome = {
        actions: [1, 2, 3].map(() => detector.observe(call).action),
        roo: new ToolRepetitionDetector(3).check({ type: "tool_use", name: "ls", params: {}, partial: false }).allowExecution,
        deepv: Array.from({ length: 20 }, () => service.addAndCheck({ type: "tool_call_request", value })).at(-1),
      };`;
  const { modules, outcome } = await askWorker(t, imports, lines);
  assert.deepEqual(modules, ["peers.wasm"]);
  assert.deepEqual(outcome, { actions: ["ok", "ok", "stop"], roo: true, deepv: true });
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
