/**
 * Text of a session on its way to a terminal: harmless, and measured in terminal columns.
 */

/**
 * What a terminal acts on or shows as something else than it is: C0, DEL and C1 controls, marks and
 * overrides of direction, line and paragraph separators, invisible format characters and tags, the
 * byte-order mark, and halves of surrogate pairs.
 */
const UNSAFE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]|[\ud800-\udfff]/gu;

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

const COMBINING = /^[\p{Mn}\p{Me}\u200c\u200d\ufe00-\ufe0f]$/u;
const WIDE =
  /^[\p{Emoji_Presentation}\u1100-\u115e\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1aff0}-\u{1b2ff}\u{20000}-\u{3fffd}]$/u;

/** How many columns a terminal needs for a character: East Asian wide ones and emoji take two. */
function characterWidth(character: string): number {
  const code = character.codePointAt(0)!;
  if (code < 0x300) return 1;
  if (COMBINING.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/** How many columns a terminal needs for a text without control characters. */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

/** The text, cut with `…` if it needs more than `columns` columns. */
export function clip(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  let kept = "";
  let width = 0;
  for (const character of text) {
    width += characterWidth(character);
    if (width > columns - 1) break;
    kept += character;
  }
  return columns > 0 ? `${kept}…` : "";
}

/** The text with spaces behind it, up to `columns` columns. */
export function padEnd(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - textWidth(text)));
}

/** The text in lines of at most `columns` columns, broken at spaces, or anywhere if there are none. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (textWidth(longer) <= columns) {
      line = longer;
    } else if (textWidth(word) <= columns) {
      lines.push(line);
      line = word;
    } else {
      const pieces = breakAnywhere(longer, columns);
      line = pieces.pop()!;
      lines.push(...pieces);
    }
  }
  return [...lines, line];
}

function breakAnywhere(text: string, columns: number): string[] {
  const pieces = [""];
  let width = 0;
  for (const character of text) {
    width += characterWidth(character);
    if (width > columns) {
      pieces.push("");
      width = characterWidth(character);
    }
    pieces[pieces.length - 1] += character;
  }
  return pieces;
}
