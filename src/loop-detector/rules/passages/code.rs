//! Code that is written again and again, in one fence or in many.
//!
//! Code repeats much that is right: dividers, zeros, closing braces. So it is compared in pieces, which end
//! with a line or after [`PIECE_UNITS`], and only many copies of many pieces are a loop.

use serde::{Deserialize, Serialize};

use super::limits::{Limits, Worth, worth};
use super::periods::{Periods, Repeat};
use turnkeeper_base::snapshot::Corrupt;
use turnkeeper_base::text::hash::UnitHash;

/// A longer line is several pieces, so that a line without end is seen, too.
const PIECE_UNITS: usize = 32;
/// Copies of what repeats: 10 that are 200 pieces, or 5 that are 1,000; for a nudge 8 that are 48.
const LIMITS: Limits = Limits {
    copies: 10,
    nudge: 8,
    nudge_units: 48,
    slots: 0,
};
/// A block of fewer lines may be data.
const FEWEST_LINES: u64 = 3;
const NEWLINE: u16 = 0x0a;
/// Stands for a piece that only draws.
const DRAWING: u16 = 0x2500;
/// Of what stands for a piece with words the first, and how many there are.
const PIECE: u16 = 0x4e00;
const PIECES: u64 = 0x5000;

/// Follows the code of a text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct CodePieces {
    periods: Periods,
    /// The piece under way.
    piece: Vec<u16>,
    /// The last piece with words, for the report.
    shown: Vec<u16>,
    /// For each of the last pieces, from the lowest bit on, whether a line ended with it.
    line_ends: u64,
}

impl CodePieces {
    /// Takes a unit of code at offset `at` of the text.
    pub(super) fn push(&mut self, unit: u16, at: u64) -> Option<Repeat> {
        if unit != NEWLINE {
            self.piece.push(unit);
            if self.piece.len() < PIECE_UNITS {
                return None;
            }
        }
        let has_words = |unit: &u16| worth(*unit) == Worth::Words;
        if self.piece.iter().all(|unit| worth(*unit) == Worth::Blank) {
            self.piece.clear();
            return None;
        }
        let stands_for = if self.piece.iter().any(has_words) {
            let mut hash = UnitHash::EMPTY;
            for unit in &self.piece {
                hash.push(*unit);
            }
            std::mem::swap(&mut self.shown, &mut self.piece);
            PIECE + (hash.0 % PIECES) as u16
        } else {
            DRAWING
        };
        self.piece.clear();
        self.line_ends = self.line_ends << 1 | u64::from(unit == NEWLINE);
        let repeat = self.periods.push(stands_for, at, LIMITS, |_| false);
        repeat.filter(|repeat| !repeat.is_nudge || self.is_of_lines(repeat.period))
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

    /// Whether a text of `offset` units can go on from it.
    pub(super) fn validate(&self, offset: u64) -> Result<(), Corrupt> {
        Corrupt::unless(self.piece.len() < PIECE_UNITS && self.shown.len() <= PIECE_UNITS)?;
        Corrupt::unless(self.periods.length() <= offset)?;
        self.periods.validate()
    }
}
