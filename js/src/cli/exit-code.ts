/** What the command's exit code says; the worst of all files wins. */
export const EXIT = {
  /** Nothing stopped a session. */
  ok: 0,
  /** A loop stopped a session. */
  loop: 1,
  /** Some input or option was bad, whatever else was found. */
  badInput: 2,
} as const;
