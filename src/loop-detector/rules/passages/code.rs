//! Code that is written again and again, in one fence or in many.
//!
//! Code repeats much that is right: dividers, zeros, closing braces. So it is compared in pieces, which end
//! with a line or after [`PIECE_UNITS`], and only many copies of many pieces are a loop. Of numbers alone it
//! takes as many copies as of a row of a table.

use serde::{Deserialize, Serialize};

use super::limits::{Limits, Worth, worth};
use super::periods::{Periods, Repeat};
use crate::copies::clone_by_fields;
use turnkeeper_base::snapshot::Corrupt;
use turnkeeper_base::text::hash::UnitHash;

/// A longer line is several pieces, so that a line without end is seen, too. A piece ends after a word once it has so
/// many units, and at the latest with the last of these.
const SHORT_PIECE: usize = 24;
const PIECE_UNITS: usize = 48;
/// Copies of what repeats: of a block 20 that are 600 pieces, or 5 that are 2,000, because data may have some hundred
/// equal lines; for a nudge 13 that are 48, because a page may have a dozen equal cards. Of a line 16 that are 120
/// pieces, as far as they fill the units below.
const LIMITS: Limits = Limits {
    copies: 16,
    units: 120,
    nudge: 13,
    nudge_units: 48,
};
const MANY_COPIES: u64 = 20;
const MANY_PIECES: u64 = 600;
/// A line again and again is a nudge, and a stop, if it fills this many units of the text: a made-up key in a recorded
/// healthy session has 4,900 of four letters.
const NUDGE_UNITS: u64 = 5_500;
const STOP_UNITS: u64 = 8_000;
/// A block of fewer lines may be data.
const FEWEST_LINES: u64 = 3;
const NEWLINE: u16 = 0x0a;
/// Stands for a piece that only draws.
const DRAWING: u16 = 0x2500;
/// The first of the units that each stand for a piece with words, and their number, ...
const CODE: (u16, u64) = (0x4e00, 0x5000);
/// and the same for a piece of numbers alone, of which a table may have many equal rows.
const DATA: (u16, u64) = (0xe000, 0x1800);

/// Follows the code of a text.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct CodePieces {
    periods: Periods,
    /// The piece under way.
    piece: Vec<u16>,
    /// The last piece with words, for the report.
    shown: Vec<u16>,
    /// For each of the last pieces, from the lowest bit on, whether a line ended with it.
    line_ends: u64,
    /// Whether the host was told.
    was_nudged: bool,
}

clone_by_fields! { CodePieces: periods, piece, shown, line_ends, was_nudged }

impl CodePieces {
    /// Takes a unit of code at offset `at` of the text.
    pub(super) fn push(&mut self, unit: u16, at: u64) -> Option<Repeat> {
        if unit != NEWLINE {
            self.piece.push(unit);
            let is_short = self.piece.len() < SHORT_PIECE || worth(unit) != Worth::Blank;
            if is_short && self.piece.len() < PIECE_UNITS {
                return None;
            }
        }
        let has_words = |unit: &u16| worth(*unit) == Worth::Words;
        if self.piece.iter().all(|unit| worth(*unit) == Worth::Blank) {
            self.piece.clear();
            return None;
        }
        let stands_for = if self.piece.iter().any(has_words) {
            let (first, count) = match self.is_data() {
                true => DATA,
                false => CODE,
            };
            let hash = UnitHash::of(self.piece.iter().copied());
            std::mem::swap(&mut self.shown, &mut self.piece);
            first + (hash.0 % count) as u16
        } else {
            DRAWING
        };
        self.piece.clear();
        self.line_ends = self.line_ends << 1 | u64::from(unit == NEWLINE);
        let mut repeat = self.periods.push(stands_for, at, LIMITS, |_| false)?;
        if self.is_of_lines(repeat.period) {
            let is_many =
                repeat.copies >= MANY_COPIES && repeat.copies * repeat.period >= MANY_PIECES;
            if !repeat.is_nudge {
                repeat.threshold = MANY_COPIES;
            }
            return (repeat.is_nudge || is_many).then_some(repeat);
        }
        let filled = at.saturating_sub(repeat.offset);
        repeat.is_nudge = filled < STOP_UNITS;
        let is_told = repeat.is_nudge && self.was_nudged;
        if is_told || filled < NUDGE_UNITS {
            return None;
        }
        self.was_nudged = true;
        Some(repeat)
    }

    /// Whether every word of the piece under way is a number, such as `0x00` and `0.5f`.
    fn is_data(&self) -> bool {
        // The first word may be the end of the number before.
        let mut is_number = self.line_ends & 1 == 0;
        let mut was_in_word = is_number;
        self.piece.iter().all(|&unit| {
            let character = u8::try_from(unit).unwrap_or(b'x');
            let is_in_word = character.is_ascii_alphanumeric();
            if is_in_word && !was_in_word {
                is_number = character.is_ascii_digit();
            }
            was_in_word = is_in_word || character == b'.' && was_in_word;
            !is_in_word || is_number
        })
    }

    /// Whether what repeats is a block of lines, and not data such as one long line.
    fn is_of_lines(&self, period: u64) -> bool {
        let of_period = u64::MAX >> 64u64.saturating_sub(period).min(63);
        u64::from((self.line_ends & of_period).count_ones()) >= FEWEST_LINES
    }

    /// A piece of what repeats.
    pub(super) fn shown(&self) -> &[u16] {
        &self.shown
    }

    /// Checks that a text of `offset` units can go on from it.
    pub(super) fn validate(&self, offset: u64) -> Result<(), Corrupt> {
        Corrupt::unless(self.piece.len() < PIECE_UNITS && self.shown.len() <= PIECE_UNITS)?;
        Corrupt::unless(self.periods.length() <= offset)?;
        self.periods.validate()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The copies of a code at its first nudge, and at its stop.
    fn told(code: &str) -> (Option<u64>, Option<u64>) {
        let mut pieces = CodePieces::default();
        let repeats: Vec<Repeat> = code
            .encode_utf16()
            .enumerate()
            .filter_map(|(at, unit)| pieces.push(unit, at as u64))
            .collect();
        let first = |is_nudge| {
            let of_kind = repeats.iter().find(|repeat| repeat.is_nudge == is_nudge);
            of_kind.map(|repeat| repeat.copies)
        };
        (first(true), first(false))
    }

    #[test]
    fn a_block_without_end_is_told_of_and_stopped() {
        let card = "<li class=\"card\">\n  <img class=\"shimmer\">\n  <p class=\"line\"></p>\n\
                    <p class=\"line short\"></p>\n</li>\n\n<!-- and the next one -->\n";
        assert_eq!(told(&card.repeat(12)), (None, None));
        assert_eq!(told(&card.repeat(120)), (Some(13), Some(100)));
    }

    #[test]
    fn a_line_without_end_is_told_of_and_stopped_however_it_is_broken() {
        for line in [
            "    lamps.push(new Lamp(garden, lantern, evening));\n",
            "lamps.push(new Lamp(garden, lantern, evening)); ",
        ] {
            let text = line.repeat(300);
            assert!(told(&text[..6_000]).0.is_some(), "{line}");
            assert_eq!(told(&text[..7_000]).1, None, "{line}");
            assert!(told(&text[..9_000]).1.is_some(), "{line}");
            assert_eq!(told(&line.repeat(40)), (None, None), "{line}");
        }
        assert_eq!(told(&"        }\n".repeat(60)), (None, None));
    }

    #[test]
    fn equal_rows_of_numbers_may_be_many() {
        for row in [
            "    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,\n",
            "  {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},\n",
            "0.5f, 1.0e-3, -12.25, 0.5f, 1.0e-3, -12.25,\n",
        ] {
            assert_eq!(told(&row.repeat(128)), (None, None), "{row}");
            let (nudge, stop) = told(&row.repeat(200));
            assert_eq!(nudge.or(stop), Some(150), "{row}");
            assert!(stop.is_some(), "{row}");
        }
        let calls = "emit(0x00);\n0x00,\nflush();\n0x00,\nnext();\n0x00,\nwait();\n0x00,\n";
        assert!(told(&calls.repeat(80)).1.is_some());
    }
}
