import { statSync, type BigIntStats } from "node:fs";

/** Identifies a file and its version. */
export class FileState {
  readonly #stat: BigIntStats | undefined;

  /** @param file as it is now, before it is read */
  constructor(file: string) {
    this.#stat = look(file);
  }

  /** Whether that name leads to another file by now, or the file has changed. */
  isOutOfDate(name: string): boolean {
    const was = this.#stat;
    const is = look(name);
    if (was === undefined || is === undefined) return was !== is;
    return (
      was.dev !== is.dev || was.ino !== is.ino || was.size !== is.size || was.mtimeNs !== is.mtimeNs
    );
  }
}

function look(file: string): BigIntStats | undefined {
  return statSync(file, { bigint: true, throwIfNoEntry: false });
}
