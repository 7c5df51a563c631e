//! Text of a session on its way to a person: harmless on a terminal and on a page.

use std::fmt::Write;

/// Whether a terminal or a page acts on a character, or shows it as something else than it is: C0, DEL and C1 controls,
/// marks and overrides of direction, separators of lines and paragraphs, invisible format characters and tags.
fn is_unsafe(character: char) -> bool {
    matches!(character,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'
        | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}'
        | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// The text with every such character written as an escape, `\x1b` or `\u{202e}`.
pub fn escape_controls(text: &str) -> String {
    escaped(text, |out, character| {
        let code = u32::from(character);
        if code < 0x100 {
            write!(out, "\\x{code:02x}")
        } else {
            write!(out, "\\u{{{code:x}}}")
        }
    })
}

/// JSON with every such character escaped as JSON does, so that it still reads the same.
pub fn escape_controls_in_json(json: &str) -> String {
    escaped(json, |out, character| {
        let mut units = [0; 2];
        let units = character.encode_utf16(&mut units);
        units
            .iter()
            .try_for_each(|unit| write!(out, "\\u{unit:04x}"))
    })
}

fn escaped(text: &str, escape: impl Fn(&mut String, char) -> std::fmt::Result) -> String {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if is_unsafe(character) {
            // A string takes whatever is written to it.
            let _ = escape(&mut out, character);
        } else {
            out.push(character);
        }
    }
    out
}

/// One harmless line with single spaces, from the first `units` UTF-16 units of a text of any size.
pub fn one_line(text: &str, units: usize) -> String {
    let mut line = String::new();
    let mut is_after_space = true;
    let mut room = units;
    for character in text.chars() {
        let length = character.len_utf16();
        if length > room {
            break;
        }
        room -= length;
        let is_space = is_space(character);
        if !is_space {
            line.push(character);
        } else if !is_after_space {
            line.push(' ');
        }
        is_after_space = is_space;
    }
    escape_controls(line.trim_end_matches(' '))
}

/// The units of a text that a row is cut from.
pub const USUAL_LINE: usize = 400;

/// White space as JavaScript knows it.
fn is_space(character: char) -> bool {
    character == '\u{feff}' || (character.is_whitespace() && character != '\u{85}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_are_shown_as_escapes() {
        let text = "\u{1b}]0;x\u{7}\u{9b}\u{202e}\u{e0041}é🙂\u{200d}";
        let expected = "\\x1b]0;x\\x07\\x9b\\u{202e}\\u{e0041}é🙂\u{200d}";
        assert_eq!(escape_controls(text), expected);
    }

    #[test]
    fn json_reads_the_same_with_its_controls_escaped() {
        let json = "\"\u{7f}\u{2028}\u{e0041}\"";
        let escaped = escape_controls_in_json(json);
        assert_eq!(escaped, "\"\\u007f\\u2028\\udb40\\udc41\"");
        let read = |text| serde_json::from_str::<String>(text).expect("JSON");
        assert_eq!(read(&escaped), read(json));
    }

    #[test]
    fn a_line_is_short_and_has_single_spaces() {
        assert_eq!(one_line(" a\n\t b \u{feff}\u{a0}c ", 400), "a b c");
        assert_eq!(one_line("a\u{0}b", 400), "a\\x00b");
        assert_eq!(one_line("ab🙂c", 3), "ab");
        assert_eq!(one_line("ab cd", 3), "ab");
    }
}
