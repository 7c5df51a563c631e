// The packed package in Bun, Deno, workerd and each Node: the same code on the same data, and what it gives
// is the same to the byte.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

import { traceData as data } from "../browser/trace-data.mjs";
import { runTraces } from "../browser/traces.mjs";
import { app, turnkeeper } from "../node/installed-package.mjs";
import { startWorkerd } from "./workerd.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const require = createRequire(import.meta.url);

const folder = mkdtempSync(path.join(tmpdir(), "turnkeeper-runtimes-"));
after(() => rmSync(folder, { recursive: true, force: true }));
symlinkSync(path.join(app, "node_modules"), path.join(folder, "node_modules"));
writeFileSync(path.join(folder, "package.json"), '{ "type": "module" }\n');

/** The cases as one script, which finds the package as an app's script does. */
async function bundled(outfile, contents, options) {
  await build({
    stdin: {
      contents: `
import * as turnkeeper from "turnkeeper";
import { runTraces } from "../browser/traces.mjs";
const data = JSON.parse(${JSON.stringify(JSON.stringify(data))});
${contents}`,
      resolveDir: here,
    },
    outfile: path.join(folder, outfile),
    bundle: true,
    format: "esm",
    logLevel: "silent",
    ...options,
  });
}

const script = path.join(folder, "traces.mjs");
await bundled("traces.mjs", "console.log(JSON.stringify(await runTraces(turnkeeper, data)));", {
  external: ["turnkeeper"],
});

const expected = await runTraces(turnkeeper, data);

/** What a program prints that has run the script. */
function printed(program, args) {
  const { stdout, stderr, status } = spawnSync(program, [...args, script], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    timeout: 240_000,
    // No runtime looks for news, or for packages that are not there.
    env: {
      ...process.env,
      DENO_NO_UPDATE_CHECK: "1",
      NO_COLOR: "1",
      DENO_DIR: path.join(folder, "deno"),
    },
  });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

function assertSame(traces) {
  assert.deepEqual(traces.problems, []);
  assert.deepEqual(Object.keys(traces), Object.keys(expected));
  for (const name of Object.keys(expected)) assert.deepEqual(traces[name], expected[name], name);
}

const binary = (name, file) =>
  path.join(path.dirname(require.resolve(`${name}/package.json`)), file);

test("the cases hold here, and there are many", () => {
  assert.deepEqual(expected.problems, []);
  assert.ok(data.cases.length > 300 && data.sessions.length > 2, `${data.cases.length} cases`);
  assert.ok(expected.conversation.length > 50_000, "the conversation is short");
});

describe("the same answers and snapshots", () => {
  for (const [version, node] of Object.entries(JSON.parse(process.env.TURNKEEPER_NODES ?? "{}"))) {
    test(`Node ${version}`, () => assertSame(printed(node, [])));
  }

  test("Bun", () => {
    assertSame(printed(binary("@oven/bun-linux-x64", "bin/bun"), ["run", "--no-install"]));
  });

  test("Deno", () => {
    // It reads the package, and nothing else is allowed.
    const allowed = [
      "run",
      "--no-remote",
      "--no-prompt",
      "--node-modules-dir=manual",
      "--allow-read",
      "--allow-env",
    ];
    assertSame(printed(binary("@deno/linux-x64-glibc", "deno"), allowed));
  });

  test("workerd", async (t) => {
    const worker = `
export default {
  async fetch() {
    try {
      return Response.json(await runTraces(turnkeeper, data));
    } catch (error) {
      return Response.json({ error: String(error?.stack ?? error) });
    }
  },
};`;
    // As wrangler does it: the module is a file beside the script.
    await bundled("workerd/worker.js", worker, {
      conditions: ["workerd", "worker", "browser"],
      loader: { ".wasm": "copy" },
      assetNames: "[name]",
      nodePaths: [path.join(app, "node_modules")],
    });
    const workerd = binary("@cloudflare/workerd-linux-64", "bin/workerd");
    const url = await startWorkerd(t, workerd, path.join(folder, "workerd"));
    const traces = await (await fetch(url)).json();
    assert.equal(traces.error, undefined);
    assertSame(traces);
  });
});

test("a difference is seen", () => {
  const other = structuredClone(expected);
  other.sessions[0] = other.sessions[0].replace("ok", "no");
  assert.throws(() => assertSame(other), /sessions/);
});
