// The references of a prompt, out of the numbers in which they cross: a prompt is inspected for every
// key press.

import { PackedField } from "../../glue/turnkeeper.js";
import { REFERENCE_KINDS, type Reference } from "../boundary/generated/shapes.js";

/**
 * The references of a prompt.
 *
 * @param names Fetches the names that are not in the prompt, one after another.
 */
export function unpackReferences(
  prompt: string,
  packed: Uint32Array,
  names: () => string,
): Reference[] {
  const references: Reference[] = [];
  let fetched: string | undefined;
  let from = 0;
  for (let at = 0; at < packed.length; at += PackedField.Count) {
    const kind = REFERENCE_KINDS[packed[at + PackedField.Kind]!]!;
    const start = packed[at + PackedField.Start]!;
    const end = packed[at + PackedField.End]!;
    const startLine = packed[at + PackedField.StartLine]!;
    const endLine = packed[at + PackedField.EndLine]!;
    const nameLength = packed[at + PackedField.NameLength]!;
    const nameStart = packed[at + PackedField.NameStart]!;
    const reference: Reference = { kind, start, end };
    if (startLine > 0) reference.startLine = startLine;
    if (endLine > 0) reference.endLine = endLine;
    if (nameStart > 0 && nameLength > 0) {
      reference.name = prompt.slice(nameStart, nameStart + nameLength);
    } else if (nameLength > 0) {
      fetched ??= names();
      const name = fetched.slice(from, (from += nameLength));
      if (kind === "tool") reference.name = name;
      else reference.path = name;
    }
    references.push(reference);
  }
  return references;
}
