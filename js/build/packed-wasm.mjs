// The Wasm module as text, for the entry that has it inside.
//
// Of base64, gzip makes a third more than of the bytes, for it shifts them: what is the same in two
// places of the module looks different. Here the most frequent bytes are one character each and all
// others two, always the same, and gzip makes of it what it makes of the bytes. The characters are
// those of base64, so the text comes through whatever base64 comes through.
//
// A loop in JavaScript would need more time to turn the text back, in a process that has just
// started, than all the rest of the start. So a module of a few hundred bytes does it.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import binaryen from "binaryen";

const UNPACK = fileURLToPath(new URL("unpack.wat", import.meta.url));
const PAGE = 65_536;

const CHARACTERS = "+/0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** The last ones are the first of two. Which they are is told by their order in ASCII. */
const PREFIXES = CHARACTERS.slice(-4);
const SINGLES = CHARACTERS.slice(0, -4);

/** The `text` of the module, and the module in base64 that turns it back, the `unpacker`. */
export function packedWasm(bytes) {
  const codes = codesFor(bytes);
  const text = Array.from(bytes, (byte) => codes[byte]).join("");
  return { text, unpacker: Buffer.from(assembled(codes, text.length)).toString("base64") };
}

/** One or two characters for each byte. Bytes that are alike have codes that are alike. */
function codesFor(bytes) {
  const counts = new Array(256).fill(0);
  for (const byte of bytes) counts[byte]++;
  const all = [...counts.keys()];
  const frequent = new Set(
    all.sort((a, b) => counts[b] - counts[a] || a - b).slice(0, SINGLES.length),
  );
  const pairs = [...PREFIXES].flatMap((first) => [...CHARACTERS].map((second) => first + second));
  const codes = [];
  let singles = 0;
  let others = 0;
  for (let byte = 0; byte < 256; byte++) {
    codes[byte] = frequent.has(byte) ? SINGLES[singles++] : pairs[others++];
  }
  return codes;
}

function assembled(codes, length) {
  const beforePrefixes = PREFIXES.charCodeAt(0) - 1;
  const table = new Uint8Array((1 + PREFIXES.length) << 7);
  codes.forEach((code, byte) => {
    const page = code.length === 1 ? 0 : code.charCodeAt(0) - beforePrefixes;
    table[(page << 7) + code.charCodeAt(code.length - 1)] = byte;
  });
  const pages = Math.ceil((length + table.length) / PAGE);
  const numbers = {
    PAGES: pages,
    TABLE_AT: pages * PAGE - table.length,
    TABLE: Array.from(table, (byte) => `\\${byte.toString(16).padStart(2, "0")}`).join(""),
    FIRST_PREFIX: beforePrefixes + 1,
    BEFORE_PREFIXES: beforePrefixes,
  };
  const source = readFileSync(UNPACK, "utf8").replace(/;;.*/g, "");
  const module = binaryen.parseText(
    source.replace(/\b[A-Z]+(?:_[A-Z]+)*\b/g, (name) => numbers[name]),
  );
  if (!module.validate()) throw new Error("unpack.wat is no valid module");
  module.setFeatures(binaryen.Features.MVP);
  return module.emitBinary();
}
