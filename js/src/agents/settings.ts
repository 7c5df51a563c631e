/** `turnkeeper.json`, in which users say what the watch of their agents is to leave alone: where it is read from. */

import { closeSync, constants, existsSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import path from "node:path";

import type { SettingsFile } from "./watch.js";
import { homeFolder } from "./state/folder.js";

const SETTINGS_FILE = "turnkeeper.json";

/** The files that hold for a folder: the home folder's, then its project's. One that cannot be read says nothing. */
export function settingsFiles(folder: string): SettingsFile[] {
  const home = homeFolder();
  const found = [path.join(home, SETTINGS_FILE), projectFile(folder, home)];
  return found.flatMap((file): SettingsFile[] => {
    try {
      return file !== undefined && existsSync(file) ? [[file, read(file)]] : [];
    } catch {
      return [];
    }
  });
}

/** The nearest file, from the folder up to the root of its repository. */
function projectFile(folder: string, home: string): string | undefined {
  const folders = upwards(folder);
  const root = folders.findIndex((it) => existsSync(path.join(it, ".git")));
  return folders
    .slice(0, root < 0 ? 1 : root + 1)
    .filter((it) => it !== home)
    .map((it) => path.join(it, SETTINGS_FILE))
    .find((file) => existsSync(file));
}

function upwards(folder: string): string[] {
  const above = path.dirname(folder);
  return above === folder ? [folder] : [folder, ...upwards(above)];
}

const LONGEST_FILE = 65_536;

/** A project is somebody else's, and may have a pipe or a device in the place of the file. */
function read(file: string): string {
  if (!statSync(file).isFile()) throw new Error("is no regular file");
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (!fstatSync(descriptor).isFile()) throw new Error("is no regular file");
    const bytes = Buffer.alloc(LONGEST_FILE + 1);
    let length = 0;
    for (let count = 1; count > 0 && length < bytes.length; length += count) {
      count = readSync(descriptor, bytes, length, bytes.length - length, null);
    }
    if (length > LONGEST_FILE) throw new Error(`is longer than ${LONGEST_FILE / 1024} KB`);
    return bytes.toString("utf8", 0, length);
  } finally {
    closeSync(descriptor);
  }
}
