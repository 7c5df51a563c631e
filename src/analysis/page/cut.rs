//! Texts cut for the page. Lengths are UTF-16 units, as JavaScript counts.

use turnkeeper_base::text::{Size, first_units};

use crate::plain_text::escape_controls;

/// The length of a text.
pub(super) fn length_of(text: &str) -> usize {
    Size::of_text(text).units as usize
}

/// The beginning of a text that comes in pieces.
#[derive(Debug)]
pub(super) struct Beginning {
    pub(super) text: String,
    /// The units that it still takes.
    room: usize,
    /// The units of the whole text.
    pub(super) length: usize,
}

impl Beginning {
    /// One of at most `most` units.
    pub(super) fn of(most: usize) -> Self {
        Self {
            text: String::new(),
            room: most,
            length: 0,
        }
    }

    pub(super) fn push(&mut self, piece: &str) {
        let taken = first_units(piece, self.room);
        self.text.push_str(taken);
        self.length += length_of(piece);
        // Nothing is taken of what follows a piece that was cut.
        self.room = match taken.len() == piece.len() {
            true => self.room - length_of(taken),
            false => 0,
        };
    }

    pub(super) fn is_full(&self) -> bool {
        self.room == 0
    }

    /// The units that are left out.
    pub(super) fn more(&self) -> usize {
        self.length - length_of(&self.text)
    }
}

/// The beginning of a text, with a mark where something is left out.
pub(super) fn shortened(text: &str, most: usize) -> String {
    match first_units(text, most) {
        whole if whole.len() == text.len() => whole.to_owned(),
        cut => format!("{cut}…"),
    }
}

/// The lines of a text, each without what a page acts on.
pub(super) fn escaped_lines(text: &str) -> String {
    let lines = text
        .split('\n')
        .map(|line| line.strip_suffix('\r').unwrap_or(line));
    lines.map(escape_controls).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_before_a_character_that_does_not_fit() {
        assert_eq!(shortened("abc", 3), "abc");
        assert_eq!(shortened("abcd", 3), "abc…");
    }

    #[test]
    fn a_text_in_pieces_is_cut_as_one() {
        let mut beginning = Beginning::of(4);
        for piece in ["ab", "c😀", "d"] {
            beginning.push(piece);
        }
        assert_eq!((beginning.text.as_str(), beginning.length), ("abc", 6));
        assert!(beginning.is_full());
        assert_eq!(beginning.more(), 3);
    }

    #[test]
    fn line_ends_stay_and_other_controls_are_visible() {
        assert_eq!(escaped_lines("a\r\nb\rc\u{7}"), "a\nb\\x0dc\\x07");
    }
}
