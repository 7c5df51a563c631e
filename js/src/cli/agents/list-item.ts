/** The name of our plugin in an agent's list of plugins. */

import { existsSync } from "node:fs";

import type { FileChange } from "./file-change.js";
import { JsonText } from "./json-text.js";

export class ListItem implements FileChange {
  readonly file: string;
  readonly summary: string;

  /** @param places files of which the first that is there is changed, else the last is made */
  constructor(
    places: readonly string[],
    private readonly key: string,
    private readonly item: string,
  ) {
    this.file = places.find((file) => existsSync(file)) ?? places.at(-1)!;
    this.summary = `its plugin in "${key}"`;
  }

  added(content: string | undefined): string {
    const text = new JsonText(this.file, content ?? "");
    text.array([this.key]);
    text.append([this.key], this.item);
    return text.toString();
  }
}
