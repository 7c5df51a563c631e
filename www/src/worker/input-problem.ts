/** A file is none that turnkeeper reads, or cannot be read. The message is for the user, and made by others in parts. */
export class InputProblem extends Error {
  readonly file: string;
  /** The line or the element, from 1. */
  readonly line: number | undefined;

  constructor(file: string, message: string, line?: number) {
    super(message);
    this.file = file;
    this.line = line;
  }
}
