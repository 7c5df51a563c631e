import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { test } from "node:test";

import { packedWasm } from "../../js/build/packed-wasm.mjs";
import { makeApp } from "./app.mjs";

const app = await makeApp();
const dist = path.join(app, "node_modules/turnkeeper/dist");
const inside = createRequire(import.meta.url)(path.join(dist, "packed-wasm.cjs"));

function unpacked({ text, unpacker }) {
  const module = new WebAssembly.Module(Buffer.from(unpacker, "base64"));
  const { memory, unpack } = new WebAssembly.Instance(module).exports;
  Buffer.from(memory.buffer).write(text, "latin1");
  return Buffer.from(memory.buffer, 0, unpack(text.length));
}

test("what is inside the default entry is the module that the package has as a file", () => {
  assert.ok(unpacked(inside).equals(readFileSync(path.join(dist, "turnkeeper.wasm"))));
  const browser = readFileSync(path.join(dist, "index.browser.mjs"), "utf8");
  for (const part of Object.values(inside)) assert.ok(browser.includes(`"${part}"`));
});

test("no tool and no encoding has anything to change in it", () => {
  for (const part of Object.values(inside)) assert.match(part, /^[A-Za-z0-9+/]+={0,2}$/);
});

const bytesOf = (length, byteAt) => Buffer.from(Array.from({ length }, (_, at) => byteAt(at)));

test("whatever the bytes are, they come out as they were", () => {
  for (const bytes of [
    Buffer.of(255),
    bytesOf(256, (at) => at),
    bytesOf(200_000, (at) => (at * at) >> 8),
  ]) {
    assert.ok(unpacked(packedWasm(bytes)).equals(bytes), `${bytes.length} bytes`);
  }
});
