import type { CoreErrorCode } from "./generated/shapes.js";

/** What went wrong, as a stable name to switch on. */
export type ErrorCode =
  | CoreErrorCode
  /** The object was disposed of. */
  | "disposed"
  /** An earlier call on this object failed inside the module, so its state cannot be trusted. Make a new one. */
  | "poisoned"
  /** `turnkeeper/slim` was used before its `init`. */
  | "not_initialized"
  /** A saved session is truncated or violates its format; the message says where. */
  | "broken_session"
  /** A message is in no provider's shape. */
  | "unknown_messages"
  /** A file is not a saved session, or not in a format that this package reads. */
  | "unknown_format"
  /** The page's content security policy, or the program around it, forbids compiling WebAssembly. */
  | "csp_blocks_wasm"
  /** The host's platform did not do what it was asked to: VS Code started no shell, say. */
  | "host_failed";

/** More about an error than its message says. */
export type ErrorDetail = {
  /** The field at fault, such as `event.text` or `modelCheck.interval`. */
  field?: string;
  /** The name of a saved session that cannot be read. */
  name?: string;
  /** The line of a saved session that cannot be read, from 1. */
  line?: number;
  /** What the core said when it failed. */
  panic?: string;
};

/**
 * The only kind of error that this package makes. What else a call may throw is the host's own, handed on
 * as it is: what its stream, its adapter, its handlers or `countTokens` throw, what a getter of its objects
 * throws, and the reason of its signal. Expected outcomes are verdicts, never errors.
 *
 * `code` is stable and made to be switched on; `message` is for people.
 */
export class TurnkeeperError extends Error {
  override readonly name = "TurnkeeperError";
  /** What went wrong. */
  readonly code: ErrorCode;
  /** The part of the package that threw it: `loop_detector`, `guard_stream`, `runtime` and others. */
  readonly machine: string;
  /** More about it. If one field is at fault, `detail.field` names it. */
  readonly detail?: ErrorDetail;

  constructor(about: {
    code: ErrorCode;
    machine: string;
    message: string;
    detail?: ErrorDetail;
    cause?: unknown;
  }) {
    const { code, machine, message, detail, cause } = about;
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.machine = machine;
    this.detail = detail;
  }
}
