/** `turnkeeper.json`, in which users say what the watch of their agents is to leave alone. */

import { closeSync, constants, existsSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import path from "node:path";

import { homeFolder } from "./state/folder.js";
import type { Thresholds } from "./thresholds.js";

export const SETTINGS_FILE = "turnkeeper.json";

/** What the files say, the project's before the home's. */
export interface Settings {
  /** Whether nothing is watched here. */
  off: boolean;
  /** Tools that are left out, by name; `*` stands for any letters. */
  exempt: string[];
  thresholds: Thresholds;
  /** What was wrong in a file, and is left out. */
  mistakes: string[];
  /** The files that were read. */
  files: string[];
}

/** The settings for a folder: of its project, and of the home folder. Nothing in them can make it fail. */
export function settingsFor(folder: string, home: string = homeFolder()): Settings {
  const settings: Settings = { off: false, exempt: [], thresholds: {}, mistakes: [], files: [] };
  const found = [path.join(home, SETTINGS_FILE), projectFile(folder, home)];
  for (const file of found) {
    if (file === undefined || !existsSync(file)) continue;
    settings.files.push(file);
    try {
      take(JSON.parse(read(file).replace(/^\uFEFF/, "")), file, settings);
    } catch (error) {
      const why = error instanceof SyntaxError ? "is no valid JSON" : (error as Error).message;
      settings.mistakes.push(`${file}: ${why}`);
    }
  }
  return settings;
}

/** Whether a tool is among those that are left out. */
export function exempts({ exempt }: Pick<Settings, "exempt">): (tool: string) => boolean {
  const patterns = exempt.map((name) => {
    const parts = name.split(/\*+/).map((part) => part.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&"));
    return new RegExp(`^${parts.join("[^]*?")}$`);
  });
  return (tool) => patterns.some((pattern) => pattern.test(tool));
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

/** Takes what is right in a file; each mistake is told, and changes nothing. */
function take(given: unknown, file: string, settings: Settings): void {
  const wrong = (what: string): void => void settings.mistakes.push(`${file}: ${what}`);
  if (!isObject(given)) return wrong("is no JSON object");
  for (const [name, value] of Object.entries(given)) {
    switch (name) {
      case "off":
        if (typeof value === "boolean") settings.off = value;
        else wrong('"off" is true or false');
        break;
      case "exempt":
        if (isListOfNames(value)) settings.exempt.push(...value);
        else wrong('"exempt" is a list of names of tools');
        break;
      case "thresholds":
        if (isObject(value)) takeThresholds(value, settings, wrong);
        else wrong('"thresholds" is an object of names and numbers');
        break;
      default:
        wrong(`there is no setting ${JSON.stringify(name)}: off, exempt and thresholds are`);
    }
  }
}

function takeThresholds(
  given: Record<string, unknown>,
  settings: Settings,
  wrong: (what: string) => void,
): void {
  const right = Object.entries(given).filter(([name, value]) => {
    if (isThreshold(value)) return true;
    wrong(`"thresholds.${name}" is a whole number of at least 1, or false`);
    return false;
  });
  const all = [...Object.entries(settings.thresholds), ...(right as [string, number | false][])];
  settings.thresholds = Object.fromEntries(all);
}

export function isThreshold(value: unknown): value is number | false {
  return value === false || (Number.isSafeInteger(value) && (value as number) >= 1);
}

function isListOfNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((name) => typeof name === "string" && name !== "");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
