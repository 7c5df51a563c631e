import path from "node:path";

import { parsed } from "../../messages/fields.js";
import { isOpenHandsEvent } from "../../saved/openhands.js";

import { attempt } from "./file-questions.js";
import { readRegular } from "./regular-file.js";

/** `0.json`, or `event-00000-….json`. */
const EVENT_FILE = /^(?:event-)?(\d{1,9})(?:-[0-9a-f-]{1,64})?\.json$/;
/** The most files that are looked at for one that is an event; others may be broken. */
const LOOKED_AT = 8;
/** The first events of a session, which say what the task is, are shorter than this, in bytes. */
const LONGEST_LOOKED_AT = 4 * 1024 * 1024;

/**
 * The files of a folder in the order of their numbers, if OpenHands has written one event into each;
 * undefined for any other folder, whatever its files are called.
 *
 * @param entries the names in the folder
 */
export function eventFiles(folder: string, entries: readonly string[]): string[] | undefined {
  const numbered = entries.map((entry) => ({ entry, number: EVENT_FILE.exec(entry)?.[1] }));
  if (entries.length < 2 || numbered.some(({ number }) => number === undefined)) return undefined;
  const files = numbered
    .sort((a, b) => Number(a.number) - Number(b.number))
    .map(({ entry }) => path.join(folder, entry));
  return files.slice(0, LOOKED_AT).some(isEvent) ? files : undefined;
}

function isEvent(file: string): boolean {
  // Another may tell; whoever reads this one will say what is wrong with it.
  const text = attempt(() => new TextDecoder().decode(readRegular(file, LONGEST_LOOKED_AT)));
  return text !== undefined && isOpenHandsEvent(parsed(text));
}
