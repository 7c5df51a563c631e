// How many steps a call takes, on both sides of the boundary: those of the counted Wasm module, every block
// of the package's JavaScript as often as it runs, and what the engine's own functions look at.

import { Session } from "node:inspector";
import path from "node:path";

import { app, load } from "../node/installed-package.mjs";
import { countedModule } from "./counted-module.mjs";

const dist = path.join(app, "node_modules/turnkeeper/dist");

/** The instance that the package makes of the counted module. */
let instance;
const { Instance } = WebAssembly;
WebAssembly.Instance = class extends Instance {
  constructor(...given) {
    super(...given);
    if (this.exports.steps) instance = this;
  }
};

/** The package, on the counted module. */
export const turnkeeper = load("turnkeeper/slim");
turnkeeper.initSync(countedModule(path.join(dist, "turnkeeper.wasm")));

const inspector = new Session();
inspector.connect();
const ask = (method, parameters) => {
  let answer;
  // A session in the process answers at once.
  inspector.post(method, parameters, (error, result) => {
    if (error) throw new Error(`${method}: ${error.message}`);
    answer = result;
  });
  return answer;
};
ask("Profiler.enable");
ask("Profiler.startPreciseCoverage", { callCount: true, detailed: true });

/** Blocks of the package's JavaScript that ran since the last time. */
function blocks() {
  let count = 0;
  for (const { url, functions } of ask("Profiler.takePreciseCoverage").result) {
    if (!url.includes("/turnkeeper/dist/")) continue;
    for (const { ranges } of functions) for (const range of ranges) count += range.count;
  }
  return count;
}

/** What functions of the engine have looked at: characters a sixteenth each, items one each. */
let looked = 0;
const CHARACTERS_A_STEP = 16;

function watch(prototype, name, cost) {
  const original = prototype[name];
  Object.defineProperty(prototype, name, {
    configurable: true,
    writable: true,
    value: function watched(...given) {
      const result = Reflect.apply(original, this, given);
      looked += cost(this, given, result);
      return result;
    },
  });
}

const found = (all, at, from = 0) => Math.max(0, (at < 0 ? all.length : at) - from);
for (const name of ["indexOf", "search"]) {
  watch(String.prototype, name, (text, [, from], at) => found(text, at, from) / CHARACTERS_A_STEP);
}
watch(String.prototype, "includes", (text, [what, from], is) =>
  is ? 1 : found(text, -1, from) / CHARACTERS_A_STEP,
);
for (const name of [
  "lastIndexOf",
  "split",
  "replace",
  "replaceAll",
  "trim",
  "trimEnd",
  "toLowerCase",
  "normalize",
]) {
  watch(String.prototype, name, (text) => text.length / CHARACTERS_A_STEP);
}
watch(RegExp.prototype, "exec", (pattern, [text], match) => {
  const end = match ? match.index + match[0].length : String(text).length;
  const from = pattern.global || pattern.sticky ? Math.min(pattern.lastIndex, end) : 0;
  return match && (pattern.global || pattern.sticky)
    ? match[0].length / CHARACTERS_A_STEP
    : (end - from) / CHARACTERS_A_STEP;
});
for (const name of ["indexOf", "includes"]) {
  watch(Array.prototype, name, (array, [, from = 0], at) =>
    at === true ? 1 : found(array, at || -1, from),
  );
}
for (const name of ["slice", "concat", "join", "flat"]) {
  watch(Array.prototype, name, (array, given, result) => result.length ?? array.length);
}
for (const name of ["splice", "unshift", "reverse"]) {
  watch(Array.prototype, name, (array) => array.length);
}
watch(JSON, "parse", (json, [text]) => String(text).length / CHARACTERS_A_STEP);
watch(JSON, "stringify", (json, given, text) => (text?.length ?? 0) / CHARACTERS_A_STEP);
watch(
  TextDecoder.prototype,
  "decode",
  (decoder, [bytes]) => (bytes?.byteLength ?? 0) / CHARACTERS_A_STEP,
);

/** The steps of `work`. */
export async function stepsOf(work) {
  blocks();
  const [wasm, engine] = [instance.exports.steps.value, looked];
  await work();
  const inEngine = looked - engine;
  return Number(instance.exports.steps.value - wasm) + blocks() + Math.round(inEngine);
}
