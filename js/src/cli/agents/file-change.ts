/** A change of one file: what is to stand there, and how to take out of it what is ours. */
export interface FileChange {
  readonly file: string;
  /** What it adds, in a few words. */
  readonly summary: string;
  readonly isExecutable?: boolean;
  /**
   * The file with our part in it.
   *
   * @param content `undefined` if there is no such file
   * @throws {@link UnreadableSettings}
   */
  added(content: string | undefined): string;
  /** The file without our part; undefined if nothing else was in it. */
  removed(content: string): string | undefined;
}

/** A file of settings that cannot be changed without a risk for what is in it. */
export class UnreadableSettings extends Error {
  constructor(
    readonly file: string,
    readonly why: string,
  ) {
    super(`${file} ${why}`);
  }
}

/** Every entry of ours names this file, by which it is recognised. */
export const HOOK_FILE = "turnkeeper-hook.cjs";
