/** A file that is ours alone. */

import { type FileChange, UnreadableSettings } from "./file-change.js";

export class OwnFile implements FileChange {
  readonly summary = "a file of its own";

  private constructor(
    readonly file: string,
    private readonly content: string,
    readonly isExecutable: boolean,
  ) {}

  static json(file: string, content: object): OwnFile {
    return new OwnFile(file, `${JSON.stringify(content, undefined, 2)}\n`, false);
  }

  static script(file: string, content: string): OwnFile {
    return new OwnFile(file, content, true);
  }

  static module(file: string, content: string): OwnFile {
    return new OwnFile(file, content, false);
  }

  added(content: string | undefined): string {
    if (content === undefined) return this.content;
    throw new UnreadableSettings(this.file, "is there already, and is not Turnkeeper's");
  }
}
