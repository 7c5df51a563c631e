// For hosts that ship the `.wasm` beside their bundle: the same exports, after init or initSync.

import { invalidArgument } from "../boundary/arguments.js";
import { isRunning, start, startFailure } from "../boundary/runtime.js";

export * from "./exports/all.js";

const MACHINE = "runtime";

/**
 * Starts the module from bytes, a compiled module, or a response. A second call does nothing.
 *
 * @throws `invalid_argument` for anything else and for a response that is not OK,
 * `csp_blocks_wasm` where a content security policy forbids compiling, `not_initialized` for bytes
 * that are not the module.
 */
export async function init(
  source: BufferSource | WebAssembly.Module | Response | Promise<Response>,
): Promise<void> {
  if (isRunning()) return;
  let given: unknown = await source;
  if (typeof Response !== "undefined" && given instanceof Response) {
    if (!given.ok) {
      throw invalidArgument(MACHINE, "source", `is a response with status ${given.status}`);
    }
    // Streaming compilation would need the right media type, which many hosts do not send.
    given = await given.arrayBuffer();
  }
  if (!isSource(given)) {
    throw invalidArgument(MACHINE, "source", "must be bytes, a WebAssembly.Module or a Response");
  }
  if (!(given instanceof WebAssembly.Module)) {
    try {
      given = await WebAssembly.compile(given as BufferSource);
    } catch (error) {
      throw startFailure(error);
    }
  }
  start(given as WebAssembly.Module);
}

/**
 * Starts the module from bytes or a compiled module, synchronously. A second call does nothing.
 *
 * @throws As {@link init}.
 */
export function initSync(source: BufferSource | WebAssembly.Module): void {
  if (!isSource(source)) {
    throw invalidArgument(MACHINE, "source", "must be bytes or a WebAssembly.Module");
  }
  start(source);
}

// No type guard: TypeScript's Module has no members, so everything would be one.
function isSource(given: unknown): boolean {
  return (
    given instanceof WebAssembly.Module ||
    ArrayBuffer.isView(given) ||
    // Not every platform has both.
    /^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(given))
  );
}
