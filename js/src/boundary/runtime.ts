// The one instance of the Wasm module that an entry has, and how it comes to life.

import * as glue from "../../glue/turnkeeper.js";
import { TurnkeeperError } from "./errors.js";

const MACHINE = "runtime";

/** What the module of every version exports, and few others do. */
const NEEDED_EXPORTS = ["memory", "__stack_pointer", "__wbindgen_start", "takePanic"];

/** Bytes, or a module that the host has compiled. */
export type WasmSource = BufferSource | WebAssembly.Module;

/** Where the module comes from when it is first needed; each entry sets its own. */
let source: (() => WasmSource) | undefined;
/** The `preload` of another entry of which this one has machines, too. */
let preloadOfAnother: (() => Promise<void>) | undefined;
let instance: glue.InitOutput | undefined;
/** Where the module's stack ends for a call that begins now. */
let stackBase = 0;

/** Says where the module comes from. Nothing is compiled until it is needed. */
export function setSource(lazy: () => WasmSource): void {
  source = lazy;
}

/** Says what {@link preload} does besides. */
export function setPreloadOfAnother(preload: () => Promise<void>): void {
  preloadOfAnother = preload;
}

/** The running module; the first call compiles it, synchronously. */
export function wasm(): glue.InitOutput {
  return instance ?? start(undefined);
}

/** Whether the module is running. */
export function isRunning(): boolean {
  return instance !== undefined;
}

/**
 * Compiles the WebAssembly now instead of at the first use, off the thread where the platform can do that.
 * Nothing happens the second time.
 *
 * @throws `csp_blocks_wasm` where a content security policy, or the program that runs it, forbids that.
 */
export async function preload(): Promise<void> {
  await Promise.all([preloadOfAnother?.(), preloadOwn()]);
}

async function preloadOwn(): Promise<void> {
  if (instance !== undefined) return;
  const found = sourceOf(undefined)();
  try {
    start(found instanceof WebAssembly.Module ? found : await WebAssembly.compile(found));
  } catch (error) {
    throw error instanceof TurnkeeperError ? error : startFailure(error);
  }
}

/** Compiles and starts the module. Does nothing if it is running. */
export function start(given: WasmSource | undefined): glue.InitOutput {
  if (instance !== undefined) return instance;
  const find = sourceOf(given);
  try {
    const found = find();
    const module = found instanceof WebAssembly.Module ? found : new WebAssembly.Module(found);
    checkExports(module);
    const started = glue.initSync({ module });
    // A trap leaves the stack pointer where the trap was. A call from JavaScript begins at the top
    // of the stack, so that is where to put it back.
    stackBase = stackPointer(started).value;
    return (instance = started);
  } catch (error) {
    throw startFailure(error);
  }
}

function sourceOf(given: WasmSource | undefined): () => WasmSource {
  if (given !== undefined) return () => given;
  if (source !== undefined) return source;
  throw new TurnkeeperError({
    code: "not_initialized",
    machine: MACHINE,
    message: "turnkeeper/slim is used before init() or initSync(); call one of them first",
  });
}

/**
 * Refuses another program's module before the glue takes it up: the glue would keep it, even if it does not
 * start, and refuse every other one.
 */
function checkExports(module: WebAssembly.Module): void {
  const names = new Set(WebAssembly.Module.exports(module).map(({ name }) => name));
  const lacking = NEEDED_EXPORTS.filter((name) => !names.has(name));
  if (lacking.length === 0) return;
  throw new Error(`it is not that of this version of turnkeeper, for it has no ${lacking[0]}`);
}

/** Runs the host's code within a call of the module, whose frames stay on its stack. */
export function asHost<T>(work: () => T): T {
  const before = stackBase;
  stackBase = stackPointer(instance!).value;
  try {
    return work();
  } finally {
    stackBase = before;
  }
}

/**
 * Puts the module's stack back in order after a trap, and hands out the panic's text. The frames of a call
 * that waits for the host's code stay.
 */
export function recover(): string {
  if (instance === undefined) return "";
  stackPointer(instance).value = stackBase;
  try {
    return glue.takePanic() as string;
  } catch {
    return "";
  }
}

function stackPointer(running: glue.InitOutput): WebAssembly.Global<"i32"> {
  return (running as unknown as Record<string, WebAssembly.Global<"i32">>)["__stack_pointer"]!;
}

/** The error of a module that could not be compiled or started. */
export function startFailure(error: unknown): TurnkeeperError {
  const text = String(error);
  const isByPolicy = /unsafe-eval|content security policy|\bCSP\b/i.test(text);
  // V8's words where the program around it, and no page, has switched compiling off.
  const isByEmbedder = /code generation disallowed by embedder/i.test(text);
  const isForbidden = isByPolicy || isByEmbedder;
  return new TurnkeeperError({
    code: isForbidden ? "csp_blocks_wasm" : "not_initialized",
    machine: MACHINE,
    message: isForbidden
      ? isByPolicy
        ? "The page's content security policy forbids compiling WebAssembly. " +
          "Add 'wasm-unsafe-eval' to its script-src."
        : "The program that runs this code forbids compiling WebAssembly. Have it compile the module, " +
          "and hand that to initSync() of turnkeeper/slim."
      : `The WebAssembly module could not be started: ${text}`,
    cause: error,
  });
}
