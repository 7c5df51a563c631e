/** What the command's exit code says; the worst of all files wins. */
export const EXIT = {
  /** All was read, and nothing is to be told by the code. */
  ok: 0,
  /** A loop stopped a session. */
  loop: 1,
  /** Some input or option was bad, or the output could not be written, whatever else was found. */
  badInput: 2,
  /** The program made a mistake, and shows where. */
  mistake: 3,
} as const;

/** The exit code, as far as is known by now. */
export function exitCode(): number {
  return Number(process.exitCode ?? EXIT.ok);
}

/** The command ends with this code, or with a worse one. */
export function endWith(code: number): void {
  process.exitCode = Math.max(exitCode(), code);
}
