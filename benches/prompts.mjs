// Prompts and files of our own making, for the assembler.

import { codeOf, proseOf } from "./inputs.mjs";

const FILES = 200;
const BYTES = 5e6;

/** Files of 5 MB of UTF-8 together, by path: source code, or Chinese notes. */
export function files(language) {
  const unit = language === "chinese" ? 3 : 1;
  const length = Math.floor(BYTES / FILES / unit);
  const text = language === "chinese" ? proseOf("chinese") : codeOf();
  const all = new Map();
  for (let at = 0; at < FILES; at++) {
    // Each begins elsewhere in the text, and is a string of its own, as it is when it is read.
    const from = (at * 997) % (text.length - length);
    all.set(`src/app/part-${at}.ts`, JSON.parse(JSON.stringify(text.slice(from, from + length))));
  }
  return all;
}

/** A prompt that refers to them all. No two turns have the same. */
export const promptOf = (all, turn) =>
  `Turn ${turn}: move the handlers of ${[...all.keys()].map((path) => `@[${path}]`).join(", ")}.`;

/** So many uses of macros in a prompt of the length. */
export function macroPrompt({ macros, length }) {
  const between = Math.floor(length / macros) - "@{PART_000}".length;
  const text = proseOf("english");
  const pieces = [];
  for (let at = 0; at < macros; at++) {
    pieces.push(text.slice(at * between, (at + 1) * between), `@{PART_${padded(at)}}`);
  }
  return JSON.parse(JSON.stringify(pieces.join("")));
}

/** What defines them. */
export const definitions = (macros) =>
  Array.from({ length: macros }, (_, at) => `@{define PART_${padded(at)}, "part ${at}"}`).join(
    "\n",
  );

const padded = (at) => String(at).padStart(3, "0");
