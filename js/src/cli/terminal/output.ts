/** Where the command's output goes: colours, width, and pipes that are slow or break. */

import pc from "picocolors";

import { escapeControls, escapeControlsInJson } from "../../analysis/plain-text.js";
import { complain } from "../complain.js";
import { EXIT } from "../exit-code.js";

import { wrap } from "./columns.js";
import { besideBar } from "./progress.js";

/** Bytes that wait here before the reading of input waits for the reader of output. */
const BUFFERED = 65_536;

/** A paragraph is easier to read in lines that are no longer than this. */
const LONGEST_PARAGRAPH = 100;

/** The width of a terminal that does not tell its own. */
const USUAL_WIDTH = 80;

/** What becomes of the command when nobody reads its output any more. */
const unread = {
  /** Whether it goes on: it writes files, or its exit code says what it finds. */
  goesOn: false,
  /** Whether it has come to that. */
  isSo: false,
};

/** From now on the command goes on to its end, though nobody may read what it prints. */
export function goOnUnread(): void {
  unread.goesOn = true;
}

/** Ends the command as soon as its output cannot be written, in words if there is a reason to tell. */
export function endWhenOutputFails(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") {
      complain(`standard output cannot be written: ${error.message}`);
      process.exit();
    }
    // `head` has read enough: other commands end without a word, too.
    if (!unread.goesOn) process.exit();
    unread.isSo = true;
  });
  process.stderr.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE" && unread.goesOn) return;
    // A complaint could not be printed.
    process.exit(EXIT.badInput);
  });
}

/**
 * Ends the command after a mistake of the program, and shows where it is. Node would end with a code that
 * says that a loop was found.
 */
export function endMistaken(error: unknown): never {
  // Its words may be those of a session, or of a file's name.
  const stack = (error instanceof Error && error.stack) || String(error);
  const where = stack.split("\n").map(escapeControls).join("\n");
  besideBar(() => process.stderr.write(`turnkeeper: internal error, please report: ${where}\n`));
  process.exit(EXIT.mistake);
}

/** Collects lines for standard output, and never more than the reader can take. */
export class Output {
  /** The width of the terminal; of a pipe, `COLUMNS` or 80. */
  readonly columns = widthOf(process.stdout);
  /** The width for text that is read line by line. */
  readonly textColumns = Math.min(this.columns, LONGEST_PARAGRAPH);
  #waiting = "";
  #isScheduled = false;

  readonly #colours = pc.createColors(wantsColours());
  readonly bold = this.#colours.bold;
  readonly dim = this.#colours.dim;
  readonly red = this.#colours.red;
  readonly green = this.#colours.green;
  readonly yellow = this.#colours.yellow;

  /** Appends a line; {@link ready} must be awaited now and then. */
  line(text = ""): void {
    this.#waiting += `${text}\n`;
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    // Whoever follows a session that is being written sees each line as it comes.
    setImmediate(() => {
      this.#isScheduled = false;
      this.#write();
    });
  }

  /** Appends text in lines of a width that is easy to read. */
  paragraph(text: string, indent = "", style = (line: string): string => line): void {
    for (const line of wrap(text, this.textColumns - indent.length))
      this.line(style(indent + line));
  }

  /** Appends a value as a line of JSON. */
  json(value: object): void {
    this.line(escapeControlsInJson(JSON.stringify(value)));
  }

  /** Waits while the reader of the output is slower than the reader of the input. */
  async ready(): Promise<void> {
    if (this.#waiting.length >= BUFFERED) this.#write();
    if (process.stdout.writableNeedDrain && !unread.isSo) await drained();
  }

  #write(): void {
    if (this.#waiting === "") return;
    const text = this.#waiting;
    this.#waiting = "";
    if (unread.isSo) return;
    if (process.stdout.isTTY) besideBar(() => process.stdout.write(text));
    else process.stdout.write(text);
  }
}

/** When standard output takes more, or never will. */
function drained(): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      process.stdout.off("drain", done).off("error", done);
      resolve();
    };
    process.stdout.on("drain", done).on("error", done);
  });
}

function widthOf({ isTTY, columns }: NodeJS.WriteStream): number {
  const told = isTTY ? columns : Number(process.env.COLUMNS);
  return told >= 20 && Number.isInteger(told) ? told : USUAL_WIDTH;
}

/** https://force-color.org and https://no-color.org; the former is the more deliberate. */
function wantsColours(): boolean {
  const { FORCE_COLOR, NO_COLOR, TERM } = process.env;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  if (NO_COLOR) return false;
  return process.stdout.isTTY && TERM !== "dumb";
}
