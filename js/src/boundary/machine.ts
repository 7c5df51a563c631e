// The part that all machines have in common: their state is in Wasm memory, where it is alive, disposed of, or
// poisoned by a panic. A machine is a class that extends `Machine`; what its own code needs of it are
// the functions of this module, since a member could be called by a host, too.

import { bytesOf, isObject, refusal } from "./arguments.js";
import { type ErrorCode, TurnkeeperError } from "./errors.js";
import { recover, wasm } from "./runtime.js";

/** `Symbol.dispose`, also where the platform is older than it. */
export const DISPOSE: typeof Symbol.dispose =
  Symbol.dispose ?? (Symbol.for("Symbol.dispose") as typeof Symbol.dispose);

/** What wasm-bindgen makes of an exported struct. */
export interface RawMachine {
  free(): void;
  /** Forgets the object without freeing it, and takes it off the finaliser's list. */
  __destroy_into_raw?(): number;
}

type RawConstructor<Raw extends RawMachine> = new (options: unknown) => Raw;

/** Handed to the constructor by {@link restore}. */
let restored: RawMachine | undefined;

/** The object in Wasm memory. @throws `disposed`, or `poisoned` after a panic. */
export let rawOf: <Raw extends RawMachine>(machine: Machine) => Raw;

/**
 * The error to throw for one that a call has thrown. A trap poisons this machine: its memory stays as it is,
 * for nothing can be said about it any more, and every other machine goes on working.
 */
export let fault: (machine: Machine, error: unknown) => unknown;

/** What all machines have in common: each holds memory in the WebAssembly module, which `dispose` frees. */
export abstract class Machine {
  readonly #name: string;
  #raw: RawMachine | undefined;
  #poison: string | undefined;

  static {
    rawOf = <Raw extends RawMachine>(machine: Machine) => {
      if (machine.#raw !== undefined) return machine.#raw as Raw;
      const name = machine.#name;
      throw machine.#poison === undefined ? disposed(name) : poisoned(name, machine.#poison);
    };
    fault = (machine, error) => {
      const reason = thrown(error, machine.#name);
      if (isTrap(error)) {
        machine.#poison = (reason as TurnkeeperError).detail!.panic;
        machine.#raw?.__destroy_into_raw?.();
        machine.#raw = undefined;
      }
      return reason;
    };
  }

  /**
   * @param Raw Its constructor gets the options.
   * @throws What the core refuses.
   * @internal
   */
  protected constructor(name: string, Raw: RawConstructor<RawMachine>, options: unknown) {
    this.#name = name;
    this.#raw = restored ?? make(name, Raw, options);
    restored = undefined;
  }

  /**
   * Frees the object's memory in the module at once; a second call does nothing. An object that is never
   * disposed of is freed some time after it has become garbage.
   */
  dispose(): void {
    const raw = this.#raw;
    this.#raw = undefined;
    raw?.free();
  }

  /** {@link dispose}, for `using`. */
  [DISPOSE](): void {
    this.dispose();
  }

  /**
   * The class's name. Vue makes no proxy of an object that has one; through a proxy, private fields are out
   * of reach.
   *
   * @internal
   */
  get [Symbol.toStringTag](): string {
    return this.constructor.name;
  }
}

/** Calls into the module. @throws What {@link rawOf} and {@link fault} say. */
export function call<Raw extends RawMachine, T>(machine: Machine, work: (raw: Raw) => T): T {
  const raw = rawOf<Raw>(machine);
  try {
    return work(raw);
  } catch (error) {
    throw fault(machine, error);
  }
}

/** A machine's object, made of the options that a host gave. */
export function make<Raw extends RawMachine>(
  name: string,
  Raw: RawConstructor<Raw>,
  options: unknown,
): Raw {
  return callFunction(name, () => new Raw(options));
}

/** Calls a function of the module that belongs to no object. */
export function callFunction<T>(machine: string, work: () => T): T {
  wasm();
  try {
    return work();
  } catch (error) {
    throw thrown(error, machine);
  }
}

/**
 * The argument of `restore`: the bytes that `snapshot` of the same machine gave, or bytes that were stored, which have forgotten
 * whose they are. The field is not there at run time.
 */
export type Snapshot<Name extends string> = Uint8Array & { readonly snapshotOf?: Name };

/**
 * The machine that a snapshot holds. `construct` calls its constructor.
 *
 * It is a function outside the class: one that names itself within gets a second name in the bundle,
 * which stack traces would show.
 */
export function restore<M extends Machine>(
  name: string,
  Raw: { restore(snapshot: Uint8Array): RawMachine },
  snapshot: Uint8Array,
  construct: () => M,
): M {
  const must = "must be a Uint8Array, which JSON does not keep";
  const bytes = bytesOf(name, snapshot, "snapshot", must);
  try {
    return callFunction(name, () => {
      restored = Raw.restore(bytes);
      return construct();
    });
  } finally {
    restored = undefined;
  }
}

/** What to throw for what a constructor, or a function without an object, has thrown. */
export function thrown(error: unknown, machine: string): unknown {
  if (isTrap(error)) return poisoned(machine, recover() || String(error), error);
  if (!isObject(error) || error instanceof Error) return error;
  const { code, machine: by, field, message } = error as Partial<CoreError>;
  if (code === undefined || by === undefined || message === undefined) return error;
  return refusal(code, by, field, message);
}

interface CoreError {
  code: ErrorCode;
  machine: string;
  field?: string;
  message: string;
}

function isTrap(error: unknown): boolean {
  if (error instanceof WebAssembly.RuntimeError) return true;
  // A stack that ran out is a RangeError, wherever in the module it happened; Firefox has an error of its own.
  if (!(error instanceof Error)) return false;
  const isStack = error.name === "RangeError" || error.name === "InternalError";
  return isStack && /call stack|too much recursion/i.test(error.message);
}

/** The error of an object that was disposed of. */
export function disposed(machine: string): TurnkeeperError {
  return refusal("disposed", machine, undefined, "the object was disposed of");
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
