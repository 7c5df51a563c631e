import type { ErrorCode } from "./generated/shapes.js";

/** Where and what, beside the message. */
export interface ErrorDetail {
  /** The field at fault, such as `event.text` or `modelCheck.interval`. */
  field?: string;
  [name: string]: unknown;
}

/**
 * The only kind of error that this package throws. Expected outcomes are verdicts, never errors.
 *
 * `code` is stable and made to be switched on; `message` is for people.
 */
export class TurnkeeperError extends Error {
  override readonly name = "TurnkeeperError";
  /** What went wrong. */
  readonly code: ErrorCode;
  /** Who refused: `loop_detector`, `guard_stream`, `runtime`, … */
  readonly machine: string;
  /** More about it; `detail.field` names the field at fault where there is one. */
  readonly detail?: ErrorDetail;

  constructor(about: {
    code: ErrorCode;
    machine: string;
    message: string;
    detail?: ErrorDetail;
    cause?: unknown;
  }) {
    super(about.message, about.cause === undefined ? undefined : { cause: about.cause });
    this.code = about.code;
    this.machine = about.machine;
    if (about.detail !== undefined) this.detail = about.detail;
  }
}

/** An `invalid_argument` that names the field. */
export function invalidArgument(
  machine: string,
  field: string,
  must: string,
  cause?: unknown,
): TurnkeeperError {
  return new TurnkeeperError({
    code: "invalid_argument",
    machine,
    message: `${machine}: ${field} ${must}`,
    detail: { field },
    cause,
  });
}
