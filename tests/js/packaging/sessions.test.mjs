// Saved sessions are read wherever JavaScript and Wasm run: without Node, without the network, by a module of their own.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import vm from "node:vm";

import { build } from "esbuild";

import { makeApp, packedModule, run, writeFiles } from "./app.mjs";

const fixture = fileURLToPath(new URL("../../data/saved/anthropic-messages.json", import.meta.url));
const session = readFileSync(fixture, "utf8");
const EXPECTED = ["anthropic", "anthropic", "broken_session"];

const USE = `
async function read(session) {
  const { format, messages } = await readSession(session);
  const events = eventsOf(messages);
  const calls = events.filter(({ type }) => type === "tool_call");
  if (calls.length === 0) throw new Error("no calls");
  const failure = await readSession("[").catch(({ code }) => code);
  return [format, detectFormat(session), failure];
}
`;

const app = await makeApp();

test("in Node, imported and required", async () => {
  const print = `read(require("node:fs").readFileSync(${JSON.stringify(fixture)}, "utf8"))
  .then((found) => console.log(JSON.stringify(found)));`;
  const names = "{ detectFormat, eventsOf, readSession }";
  writeFiles(app, {
    "read.cjs": `const ${names} = require("turnkeeper/sessions");${USE}${print}`,
    "read.mjs": `import { createRequire } from "node:module";
import ${names} from "turnkeeper/sessions";
const require = createRequire(import.meta.url);${USE}${print}`,
  });
  for (const file of ["read.cjs", "read.mjs"]) {
    assert.deepEqual(JSON.parse(await run("node", [file], { cwd: app })), EXPECTED);
  }
});

test("in a realm that has nothing but the language, Wasm and text encoding, with its own module alone", async () => {
  writeFiles(app, {
    "realm.mjs": `import { detectFormat, eventsOf, readSession } from "turnkeeper/sessions";
${USE}globalThis.found = read(session);`,
  });
  const { outputFiles } = await build({
    entryPoints: [path.join(app, "realm.mjs")],
    bundle: true,
    format: "iife",
    platform: "browser",
    write: false,
  });
  const [{ text }] = outputFiles;
  const realm = vm.createContext({ TextEncoder, TextDecoder, Uint8Array, atob, session });
  assert.ok(!vm.runInContext('"process" in globalThis || "fetch" in globalThis', realm));
  vm.runInContext(text, realm);
  assert.deepEqual([...(await realm.found)], EXPECTED);

  const dist = path.join(app, "node_modules/turnkeeper/dist");
  const carried = readdirSync(dist)
    .filter((file) => file.endsWith(".mjs"))
    .map((file) => ({ file, packed: packedModule(app, file) }))
    .filter(({ packed }) => packed !== undefined && text.includes(packed));
  assert.deepEqual(
    carried.map(({ file }) => file),
    ["sessions.mjs"],
  );
  const code = text.length - carried[0].packed.length;
  assert.ok(code < 150_000, `nothing else of that size is inside: ${code} characters`);
});
