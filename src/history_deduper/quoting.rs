//! Whether a place in a Markdown text lies in fenced or inline code.

use super::blocks::{is_blank, is_white};

const BACKTICK: u16 = b'`' as u16;
const TILDE: u16 = b'~' as u16;
const BACKSLASH: u16 = b'\\' as u16;
const NEW_LINE: u16 = b'\n' as u16;
const SPACE: u16 = b' ' as u16;

/// Whether code begins before `at` and has not ended there. A fence that is never closed reaches
/// to the end of the text; inline code needs its second half, before the paragraph's end.
pub(crate) fn is_quoted(text: &[u16], at: usize) -> bool {
    let mut fence: Option<Fence> = None;
    let mut paragraph = 0;
    let mut start = 0;
    for line in text.split_inclusive(|unit| *unit == NEW_LINE) {
        if start > at {
            break;
        }
        let mark = Fence::read(line);
        match (fence, mark) {
            (None, Some(mark)) if mark.opens && start + mark.indent < at => fence = Some(mark),
            (Some(open), Some(mark)) if mark.ends(open) => {
                fence = None;
                paragraph = start + line.len();
            }
            _ => {}
        }
        if is_blank(line) {
            paragraph = start + line.len();
        }
        start += line.len();
    }
    fence.is_some() || (paragraph < at && is_in_inline_code(&text[paragraph..], at - paragraph))
}

#[derive(Clone, Copy)]
struct Fence {
    unit: u16,
    indent: usize,
    length: usize,
    opens: bool,
    closes: bool,
}

impl Fence {
    fn ends(self, open: Self) -> bool {
        self.closes && self.unit == open.unit && self.length >= open.length
    }

    fn read(line: &[u16]) -> Option<Self> {
        let indent = line.iter().take_while(|unit| **unit == SPACE).count();
        let rest = &line[indent..];
        let unit = *rest.first()?;
        if indent > 3 || (unit != BACKTICK && unit != TILDE) {
            return None;
        }
        let length = rest.iter().take_while(|other| **other == unit).count();
        let info = &rest[length..];
        (length >= 3).then(|| Self {
            unit,
            indent,
            length,
            opens: unit == TILDE || !info.contains(&BACKTICK),
            closes: is_blank(info),
        })
    }
}

fn is_in_inline_code(text: &[u16], at: usize) -> bool {
    let mut place = 0;
    while place < at {
        match text[place] {
            BACKSLASH => place += 2,
            BACKTICK => {
                let length = ticks(&text[place..]);
                place += length;
                if let Some(end) = closing_ticks(&text[place..], length) {
                    place += end;
                    if place > at {
                        return true;
                    }
                }
            }
            _ => place += 1,
        }
    }
    false
}

fn ticks(text: &[u16]) -> usize {
    text.iter().take_while(|unit| **unit == BACKTICK).count()
}

/// The end of the next run of exactly `length` backticks, before a blank line.
fn closing_ticks(text: &[u16], length: usize) -> Option<usize> {
    let mut place = 0;
    let mut is_blank = false;
    while place < text.len() {
        match text[place] {
            BACKTICK => {
                let run = ticks(&text[place..]);
                place += run;
                if run == length {
                    return Some(place);
                }
                is_blank = false;
                continue;
            }
            NEW_LINE if is_blank => return None,
            NEW_LINE => is_blank = true,
            unit => is_blank &= is_white(unit),
        }
        place += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_of_x_is_quoted_or_not() {
        for (text, expected) in [
            ("X", false),
            ("`X`", true),
            ("`X", false),
            ("`a` X `b`", false),
            ("``a ` X``", true),
            ("\\`X`", false),
            ("`a\n\nX`", false),
            ("`a\nX`", true),
            ("a\n```\nX\n```", true),
            ("a\n```\nX", true),
            ("```\na\n```\nX", false),
            ("````\na\n```\nX", true),
            ("~~~\n```\n~~~\nX", false),
            ("``` a ` b\nX", false),
            ("    ```\nX", false),
            ("```\na\n``` b\nX", true),
            ("```X", true),
        ] {
            let units: Vec<u16> = text.encode_utf16().collect();
            let at = text.find('X').expect("every text has one");
            assert_eq!(is_quoted(&units, at), expected, "{text}");
        }
    }
}
