/** A file that is ours alone. */

import { type FileChange, HOOK_FILE, UnreadableSettings } from "./file-change.js";

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

  added(content: string | undefined): string {
    if (content !== undefined && !isOurs(content)) {
      throw new UnreadableSettings(this.file, "is there already, and is not Turnkeeper's");
    }
    return this.content;
  }

  removed(content: string): string | undefined {
    return isOurs(content) ? undefined : content;
  }
}

function isOurs(content: string): boolean {
  return content.includes(HOOK_FILE) || /"name": "turnkeeper"/.test(content);
}
