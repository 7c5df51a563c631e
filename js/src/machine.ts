// The life of an object whose state is in Wasm memory: alive, disposed of, or poisoned by a panic.

import { TurnkeeperError } from "./errors.js";
import type { ErrorCode } from "./generated/shapes.js";
import { recover } from "./runtime.js";

/** `Symbol.dispose`, also where the platform is older than it. */
export const DISPOSE: typeof Symbol.dispose =
  Symbol.dispose ?? (Symbol.for("Symbol.dispose") as typeof Symbol.dispose);

/** What wasm-bindgen makes of an exported struct. */
export interface RawMachine {
  free(): void;
  /** Forgets the object without freeing it, and takes it off the finaliser's list. */
  __destroy_into_raw?(): number;
}

/** Owns one object in Wasm memory. */
export class Handle<Raw extends RawMachine> {
  readonly #machine: string;
  #raw: Raw | undefined;
  #poison: string | undefined;

  constructor(machine: string, raw: Raw) {
    this.#machine = machine;
    this.#raw = raw;
  }

  /** The object. @throws `disposed`, or `poisoned` after a panic. */
  get(): Raw {
    return this.#raw ?? this.#gone();
  }

  #gone(): never {
    if (this.#poison === undefined) {
      throw new TurnkeeperError({
        code: "disposed",
        machine: this.#machine,
        message: `${this.#machine}: the object was disposed of`,
      });
    }
    throw poisoned(this.#machine, this.#poison);
  }

  /**
   * What to throw for what a call has thrown. A trap poisons this object: its memory stays as it
   * is, for nothing can be said about it any more, and every other object goes on working.
   */
  fault(error: unknown): unknown {
    if (!isTrap(error)) return thrown(error, this.#machine);
    const text = recover() || String(error);
    this.#poison = text;
    this.#raw?.__destroy_into_raw?.();
    this.#raw = undefined;
    return poisoned(this.#machine, text, error);
  }

  /** Frees the object; a second time does nothing. */
  dispose(): void {
    const raw = this.#raw;
    this.#raw = undefined;
    raw?.free();
  }
}

/** What to throw for what a constructor, or a function without an object, has thrown. */
export function thrown(error: unknown, machine: string): unknown {
  if (isTrap(error)) return poisoned(machine, recover() || String(error), error);
  if (typeof error !== "object" || error === null || error instanceof Error) return error;
  const { code, machine: by, field, message } = error as Partial<CoreError>;
  if (code === undefined || by === undefined || message === undefined) return error;
  return new TurnkeeperError({
    code,
    machine: by,
    message: field === undefined ? `${by}: ${message}` : `${by}: ${field} ${message}`,
    ...(field === undefined ? {} : { detail: { field } }),
  });
}

interface CoreError {
  code: ErrorCode;
  machine: string;
  field?: string;
  message: string;
}

function isTrap(error: unknown): boolean {
  if (error instanceof WebAssembly.RuntimeError) return true;
  // A stack that ran out is a RangeError, wherever in the module it happened. So may be whatever a
  // getter of the host's throws.
  return error instanceof RangeError && /call stack/i.test(String(error.message));
}

function poisoned(machine: string, panic: string, cause?: unknown): TurnkeeperError {
  return new TurnkeeperError({
    code: "poisoned",
    machine,
    message: `${machine}: an earlier call failed inside the module; make a new object (${panic})`,
    detail: { panic },
    cause,
  });
}
