// The package's Wasm module with a counter in it: of functions entered, of rounds of loops, and of copied
// bytes. Binaryen puts the counting in; the numbers are the same at every run.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const repository = fileURLToPath(new URL("../../..", import.meta.url));
const tools = path.join(repository, "js/node_modules/.bin");
/** What the module uses; Binaryen refuses what it is not told of. */
const FEATURES = [
  "simd",
  "bulk-memory",
  "nontrapping-float-to-int",
  "sign-ext",
  "mutable-globals",
  "multivalue",
  "reference-types",
].map((name) => `--enable-${name}`);

/** So many bytes are copied for one step. */
const BYTES_A_STEP = 16;

const counted = (name, operation) => `
 (func $counted_${name} (param $to i32) (param $from i32) (param $length i32)
  (global.set $steps (i64.add (global.get $steps)
   (i64.extend_i32_u (i32.div_u (local.get $length) (i32.const ${BYTES_A_STEP})))))
  (${operation} (local.get $to) (local.get $from) (local.get $length)))`;

const COUNTER = `
 (global $steps (mut i64) (i64.const 0))
 (export "steps" (global $steps))
 (func $log_execution (param i32)
  (global.set $steps (i64.add (global.get $steps) (i64.const 1))))${counted("copy", "memory.copy")}${counted("fill", "memory.fill")}
`;

/** The bytes of the module at `file`, with the counter as its export `steps`. */
export function countedModule(file) {
  const original = readFileSync(file);
  const folder = path.join(repository, "target/complexity");
  const name = createHash("sha256").update(original).update(COUNTER).digest("hex").slice(0, 16);
  const made = path.join(folder, `${name}.wasm`);
  if (!existsSync(made)) {
    mkdirSync(folder, { recursive: true });
    const text = path.join(folder, `${name}.wat`);
    run("wasm-opt", [file, ...FEATURES, "--log-execution", "-S", "-o", text]);
    writeFileSync(text, withCounter(readFileSync(text, "utf8")));
    run("wasm-as", [text, ...FEATURES, "-o", `${made}.unfinished`]);
    renameSync(`${made}.unfinished`, made);
    rmSync(text);
  }
  return readFileSync(made);
}

function withCounter(text) {
  const imported = /\n \(import "[^"]*" "log_execution" \(func \$log_execution [^\n]*/;
  if (!imported.test(text)) throw new Error("Binaryen has put no counting in");
  const counting = text
    .replace(imported, "")
    .replaceAll("(memory.copy", "(call $counted_copy")
    .replaceAll("(memory.fill", "(call $counted_fill");
  return `${counting.slice(0, counting.lastIndexOf(")"))}${COUNTER})\n`;
}

function run(tool, args) {
  execFileSync(path.join(tools, tool), args, { stdio: ["ignore", "ignore", "inherit"] });
}
