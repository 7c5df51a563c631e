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
    const text = new JsonText(this.file, this.removed(content ?? "") ?? "{}\n");
    text.array([this.key]);
    text.append([this.key], this.item);
    return text.toString();
  }

  removed(content: string): string | undefined {
    const text = new JsonText(this.file, content);
    const items = text.get([this.key]);
    const at = Array.isArray(items) ? items.indexOf(this.item) : -1;
    if (at < 0) return content;
    text.remove([this.key, at]);
    if (text.array([this.key]).length === 0) text.remove([this.key]);
    return text.names([]).length === 0 ? undefined : text.toString();
  }
}
