/**
 * Characters that a page acts on or shows as something else than they are: C0, DEL and C1 controls, marks and overrides
 * of direction, line and paragraph separators, invisible format characters and tags, the byte-order mark,
 * and halves of surrogate pairs. `src/analysis/view/plain_text.rs` has the same.
 */
const UNSAFE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]|[\ud800-\udfff]/gu;

/** The text with every such character written as an escape, `\x1b` or `\u{202e}`. */
export function escapeControls(text: string): string {
  return text.replace(UNSAFE, (character) => {
    const code = character.codePointAt(0)!;
    const hex = code.toString(16);
    return code < 0x100 ? `\\x${hex.padStart(2, "0")}` : `\\u{${hex}}`;
  });
}

/** Several lines, each with its control characters visible. */
export function escapeLines(text: string): string {
  return text.split(/\r?\n/).map(escapeControls).join("\n");
}

/** JSON with every such character escaped as JSON does, so that it still reads the same. */
export function escapeControlsInJson(json: string): string {
  return json.replace(UNSAFE, (character) =>
    Array.from(
      { length: character.length },
      (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
}
