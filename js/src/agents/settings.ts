/** `turnkeeper.json`, in which users say what the watch of their agents is to leave alone: where it is read from. */

import { existsSync } from "node:fs";
import path from "node:path";

import type { SettingsFile } from "./watch.js";
import { homeFolder } from "./state/folder.js";
import { readText } from "./state/regular-file.js";

const SETTINGS_FILE = "turnkeeper.json";
const LONGEST_FILE = 65_536;

/** The files that hold for a folder: the home folder's, then its project's. One that cannot be read says nothing. */
export function settingsFiles(folder: string): SettingsFile[] {
  const home = homeFolder();
  const found = [path.join(home, SETTINGS_FILE), projectFile(folder, home)];
  return found.flatMap((file, at): SettingsFile[] => {
    try {
      return file !== undefined && existsSync(file)
        ? [[file, readText(file, LONGEST_FILE), at > 0]]
        : [];
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
