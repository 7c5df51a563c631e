// The imports of the modules, and what engines are asked to do with them, where one has a fault.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";

import { app, turnkeeper } from "./installed-package.mjs";

const EXTERNREF = 0x6f;
const file = path.join(app, "node_modules/turnkeeper/dist/turnkeeper.wasm");

/** The types of the results of each exported function, by name. */
function resultsOfExports(bytes) {
  let at = 8;
  const leb = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };
  const list = (read) => Array.from({ length: leb() }, read);
  const name = () => {
    const end = leb() + at;
    const text = Buffer.from(bytes.subarray(at, end)).toString();
    at = end;
    return text;
  };
  const limits = () => (leb() & 1 ? (leb(), leb()) : leb());
  /** The type of an imported function, `undefined` for anything else. */
  const imported = () => {
    name();
    name();
    const kind = bytes[at++];
    if (kind === 0) return leb();
    if (kind === 1) at++;
    if (kind === 1 || kind === 2) limits();
    else at += 2;
    return undefined;
  };
  const type = () => {
    assert.equal(bytes[at++], 0x60, "a function's type");
    list(leb);
    return list(leb);
  };
  let types;
  const functions = [];
  const results = new Map();
  while (at < bytes.length) {
    const section = bytes[at++];
    const end = leb() + at;
    if (section === 1) types = list(type);
    if (section === 2) functions.push(...list(imported).filter((each) => each !== undefined));
    if (section === 3) functions.push(...list(leb));
    if (section === 7) {
      list(() => {
        const [exported, kind, index] = [name(), bytes[at++], leb()];
        if (kind === 0) results.set(exported, types[functions[index]]);
      });
    }
    at = end;
  }
  return results;
}

test("the machines ask their host for plain values alone: no clock, no randomness, no file, no network", () => {
  // Those of `Buffer` make a text of bytes in the module's own memory.
  const plain =
    /^__wbindgen_|^__wbg_(?:__wbindgen_\w+|static_accessor_BUFFER|buffer|from|latin1Slice|Number|Error|new|parse|isArray|entries|fromCharCode|concat|set|decode|get|get_unchecked|length|call)_[0-9a-f]{16}$/;
  for (const module of ["turnkeeper.wasm", "peers.wasm"]) {
    const bytes = readFileSync(path.join(path.dirname(file), module));
    const imports = WebAssembly.Module.imports(new WebAssembly.Module(bytes));
    assert.ok(imports.length > 10, `${imports.length} imports`);
    assert.deepEqual(
      imports.filter(({ name, kind }) => kind !== "function" || !plain.test(name)),
      [],
    );
  }
});

describe("an object as the only result, at which V8 ends the process (Node 20 and 22)", () => {
  test("is that of no exported function", () => {
    const results = resultsOfExports(readFileSync(file));
    assert.ok(results.size > 30, `${results.size} exports`);
    for (const [name, types] of results) {
      assert.ok(types.length !== 1 || types[0] !== EXTERNREF, name);
    }
  });

  test("is not met in long and short previews of prompts in turn", () => {
    const make = () => new turnkeeper.GhostBlockAssembler({ root: "/work" });
    make().inspect('@[a.md:1:2] @[src/] @[ls{"uri": "."}] ![a](x.png) @{define X, "1"} @{X} @{Y}');
    for (const before of ["", "é ", "思 ", "😀", "\ud800"])
      make().inspect(`${before}@[思.md] @{名}`);
    const assembler = make();
    for (const piece of ["@[", "@{", "![](", "@[a{", '@{define A, "', "@{ifdef A}", "`", "@[a] "]) {
      assert.ok(assembler.inspect(piece.repeat(20_000)));
    }
  });
});
