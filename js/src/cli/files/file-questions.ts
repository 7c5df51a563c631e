// Questions about files that may have no answer: whoever opens the file will say why.

import { readdirSync, statSync } from "node:fs";

/** The answer; undefined if there is none. */
export function attempt<T>(question: () => T): T | undefined {
  try {
    return question();
  } catch {
    return undefined;
  }
}

export function isFolder(name: string): boolean {
  return attempt(() => statSync(name))?.isDirectory() ?? false;
}

export function isFile(name: string): boolean {
  return attempt(() => statSync(name))?.isFile() ?? false;
}

/** The names in a folder, in their order; none if it cannot be read. */
export function namesIn(folder: string): string[] {
  return attempt(() => readdirSync(folder).sort()) ?? [];
}
