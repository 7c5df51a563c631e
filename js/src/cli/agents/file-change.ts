/** A change of one file: what is to stand there. `ours.ts` takes it out again. */
export interface FileChange {
  readonly file: string;
  /** What it adds, in a few words. */
  readonly summary: string;
  readonly isExecutable?: boolean;
  /**
   * The file with our part in it.
   *
   * @param content the file without our part; `undefined` if there is no such file
   * @throws {@link UnreadableSettings}
   */
  added(content: string | undefined): string;
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
