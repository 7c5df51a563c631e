/** Text of a session on its way to a person: harmless on a terminal and on a page. */

/**
 * Characters that a terminal or a page acts on or shows as something else than they are: C0, DEL and C1 controls,
 * marks and overrides of direction, line and paragraph separators, invisible format characters and
 * tags, the byte-order mark, and halves of surrogate pairs.
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

/** JSON with every such character escaped as JSON does, so that it still reads the same. */
export function escapeControlsInJson(json: string): string {
  return json.replace(UNSAFE, (character) =>
    Array.from(
      { length: character.length },
      (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
}

/** One harmless line with single spaces, from the beginning of a text of any size. */
export function oneLine(text: string, units = 400): string {
  return escapeControls(text.slice(0, units).replace(/\s+/gu, " ").trim());
}
