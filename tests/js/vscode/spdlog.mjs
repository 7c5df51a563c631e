// The part of `@vscode/spdlog` that VS Code uses, which is all of it but the rotation of files.

import { appendFileSync, mkdirSync } from "node:fs";
import path from "node:path";

const LEVELS = ["trace", "debug", "info", "warning", "error", "critical", "off"];

export class Logger {
  #file;
  #level = LEVELS.indexOf("info");
  #formatted = true;

  constructor(file) {
    this.#file = file;
  }

  getLevel() {
    return this.#level;
  }

  setLevel(level) {
    this.#level = level;
  }

  setPattern() {}

  clearFormatters() {
    this.#formatted = false;
  }

  flush() {}

  drop() {}

  write(level, message) {
    if (LEVELS.indexOf(level) < this.#level) return;
    const time = new Date().toISOString().replace("T", " ").replace("Z", "");
    appendFileSync(this.#file, this.#formatted ? `${time} [${level}] ${message}\n` : message);
  }
}

for (const level of LEVELS.slice(0, -1)) {
  Logger.prototype[level === "warning" ? "warn" : level] = function (message) {
    this.write(level, message);
  };
}

async function createLogger(_name, file) {
  mkdirSync(path.dirname(file), { recursive: true });
  // VS Code 1.93 looks for the file once a second, and until it has found it the log cannot be shown.
  appendFileSync(file, "");
  return new Logger(file);
}

export const createRotatingLogger = createLogger;
export const createAsyncRotatingLogger = createLogger;
export const setLevel = () => {};
export const setFlushOn = () => {};
export const version = 0;
