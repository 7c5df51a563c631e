import { existsSync } from "node:fs";
import path from "node:path";

import { readLabels, type Label } from "../../analysis/labels.js";
import { InputError } from "../../saved/event-lines.js";
import type { Input } from "../files/inputs.js";
import { readRegular } from "../files/regular-file.js";

/** The labels of the `index.tsv` that lies beside each session. */
export class Labels {
  readonly #complain: (problem: InputError) => void;
  readonly #byFolder = new Map<string, Map<string, Label>>();
  readonly #used = new Map<string, string>();

  constructor(complain: (problem: InputError) => void) {
    this.#complain = complain;
  }

  of(file: string): Label | undefined {
    if (file === "-") return undefined;
    const folder = path.dirname(file);
    const id = path.basename(file, path.extname(file));
    const label = this.#in(folder).get(id);
    if (!label) return undefined;
    const key = path.join(folder, id);
    const other = this.#used.get(key);
    if (other !== undefined) {
      this.#complain(
        new InputError(file, `has the same name as ${other}, so the label could be of either`),
      );
      return undefined;
    }
    this.#used.set(key, file);
    return label;
  }

  /** Sessions that are labelled and not there would quietly be left out of the totals. */
  nameMissing(inputs: readonly Input[]): void {
    const whole = new Set<string>();
    for (const { file, folder } of inputs) if (folder !== undefined) whole.add(path.dirname(file));
    for (const folder of whole) {
      for (const id of this.#in(folder).keys()) {
        if (this.#used.has(path.join(folder, id))) continue;
        const index = path.join(folder, "index.tsv");
        this.#complain(
          new InputError(index, `labels ${JSON.stringify(id)}, but there is no such session`),
        );
      }
    }
  }

  #in(folder: string): Map<string, Label> {
    let labels = this.#byFolder.get(folder);
    if (!labels) {
      labels = this.#read(path.join(folder, "index.tsv"));
      this.#byFolder.set(folder, labels);
    }
    return labels;
  }

  #read(file: string): Map<string, Label> {
    try {
      if (!existsSync(file)) return new Map();
      const text = new TextDecoder().decode(readRegular(file));
      return readLabels(file, text, this.#complain);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      this.#complain(error);
      return new Map();
    }
  }
}
