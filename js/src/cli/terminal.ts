/** Where the command's output goes: colours, width, and pipes that are slow or break. */

/** Bytes that wait here before the reading of input waits for the reader of output. */
const BUFFERED = 65_536;

/** `head` has read enough: end without a word, as other commands do. */
export function endQuietlyOnBrokenPipe(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") process.exit();
      throw error;
    });
  }
}

/** Collects lines for standard output, and never more than the reader can take. */
export class Output {
  readonly columns: number;
  readonly #colours: boolean;
  #waiting = "";
  #scheduled = false;

  constructor() {
    const { isTTY, columns } = process.stdout;
    this.columns = isTTY && columns ? Math.min(Math.max(columns, 40), 120) : 80;
    this.#colours = wantsColours(isTTY);
  }

  /** Appends a line; {@link ready} must be awaited now and then. */
  line(text = ""): void {
    this.#waiting += `${text}\n`;
    if (this.#scheduled) return;
    this.#scheduled = true;
    // Whoever follows a session that is being written sees each line as it comes.
    setImmediate(() => {
      this.#scheduled = false;
      this.#write();
    });
  }

  /** Waits while the reader of the output is slower than the reader of the input. */
  async ready(): Promise<void> {
    if (this.#waiting.length >= BUFFERED) this.#write();
    if (process.stdout.writableNeedDrain) {
      await new Promise((resolve) => process.stdout.once("drain", resolve));
    }
  }

  #write(): void {
    if (this.#waiting === "") return;
    process.stdout.write(this.#waiting);
    this.#waiting = "";
  }

  bold = (text: string): string => this.#coloured(text, 1, 22);
  dim = (text: string): string => this.#coloured(text, 2, 22);
  red = (text: string): string => this.#coloured(text, 31, 39);
  green = (text: string): string => this.#coloured(text, 32, 39);
  yellow = (text: string): string => this.#coloured(text, 33, 39);

  #coloured(text: string, on: number, off: number): string {
    return this.#colours ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  }
}

/** https://force-color.org and https://no-color.org; the former is the more deliberate. */
function wantsColours(isTerminal: boolean): boolean {
  const { FORCE_COLOR, NO_COLOR, TERM } = process.env;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  if (NO_COLOR) return false;
  return isTerminal && TERM !== "dumb";
}
