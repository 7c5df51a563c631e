// A folder with directories of the names that a test wants, and what has become of it.

import { lstatSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";

import { temporaryFolder } from "../packaging/app.mjs";

export class Place {
  constructor() {
    this.folder = temporaryFolder();
    /** Where the shells are started, and what they must not have changed. */
    this.start = path.join(this.folder, "start");
    mkdirSync(this.start);
  }

  /** A directory of that name. */
  directory(name) {
    const directory = `${this.start}/${name}`;
    mkdirSync(directory);
    return directory;
  }

  /** A path of that name which no directory has. */
  missing(name) {
    return `${this.start}/missing/${name}`;
  }

  /** Everything below the start, by its path from there. */
  contents(folder = this.start) {
    const found = [];
    for (const name of readdirSync(folder)) {
      const entry = `${folder}/${name}`;
      found.push(entry.slice(this.start.length + 1));
      if (lstatSync(entry).isDirectory()) found.push(...this.contents(entry));
    }
    return found.sort();
  }

  clear() {
    for (const name of readdirSync(this.start)) {
      rmSync(`${this.start}/${name}`, { recursive: true });
    }
  }
}
