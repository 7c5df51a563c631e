//! When a repeated passage is a loop.

/// The worth of a unit of text as evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Worth {
    /// White space: a loop only when there is very much of it.
    Blank,
    /// Signs that dividers, lists, tables and boxes are drawn with: a loop only where they have no end.
    Drawing,
    /// A unit that stands for a row of a table or a block of code: a loop only in bulk.
    Folded,
    /// Words: a loop.
    Words,
}

/// When a repeated passage is a loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limits {
    /// Copies that make a loop ...
    pub(crate) copies: u64,
    /// if they fill this many units.
    pub(crate) units: u64,
    /// Copies of a long passage that are a nudge, 0 for none, ...
    pub(crate) nudge: u64,
    /// if they fill this many units.
    pub(crate) nudge_units: u64,
}

/// Even a short passage must have filled this many units.
pub(crate) const FEW_UNITS: u64 = 200;
/// Of a long passage this many copies are enough, if they fill 100 units for each of `copies`.
const FEW_COPIES: u64 = 5;

/// This many units have to be filled for a nudge: reported passages run to 830 units, in three copies or
/// more.
pub(crate) const NUDGE_UNITS: u64 = 600;

/// A drawing without end fills this many units, which no padded table does.
const DRAWN_UNITS: u64 = 4_000;
/// Equal rows of a table without end: forms have some dozens.
const FOLDED_COPIES: u64 = 150;

impl Limits {
    /// Copies that no text has.
    pub(crate) const NEVER: u64 = u64::MAX >> 8;

    /// The number of copies of a passage that is a nudge.
    pub(crate) fn nudge_of(self, period: u64, worth: Worth) -> u64 {
        match self.nudge > 0 && worth == Worth::Words {
            true => self.nudge.max(self.nudge_units.div_ceil(period)),
            false => u64::MAX,
        }
    }

    /// The number of copies of a passage of `period` units that make a loop, and the number that
    /// the rule asks for.
    pub(crate) fn copies_of(self, period: u64, worth: Worth) -> Option<(u64, u64)> {
        let many = self.copies.max(2);
        let long = (
            FEW_COPIES.max(self.copies.saturating_mul(100).div_ceil(period)),
            FEW_COPIES,
        );
        let short = (many.max(self.units.div_ceil(period)), many);
        match worth {
            Worth::Words => Some(if short.0 <= long.0 { short } else { long }),
            Worth::Blank => Some(long),
            Worth::Folded if self.nudge > 0 => Some((FOLDED_COPIES, FOLDED_COPIES)),
            Worth::Drawing if self.nudge > 0 => {
                Some((FEW_COPIES.max(DRAWN_UNITS.div_ceil(period)), FEW_COPIES))
            }
            Worth::Drawing | Worth::Folded => None,
        }
    }
}

/// The worth of a unit by itself.
pub(crate) fn worth(unit: u16) -> Worth {
    match char::from_u32(u32::from(unit)) {
        Some(c) if c.is_whitespace() => Worth::Blank,
        Some('-' | '=' | '_' | '*' | '#' | '~' | '|' | '+' | ':' | '.' | '>' | '<' | '`' | '/') => {
            Worth::Drawing
        }
        Some('\\' | '–' | '—' | '…' | '·' | '•' | '\u{2500}'..='\u{259f}') => {
            Worth::Drawing
        }
        // Units that `lines` puts for a list's number, a table's row or a block of code.
        Some('\u{f8ff}') => Worth::Drawing,
        Some('\u{e000}'..='\u{f8fe}') => Worth::Folded,
        _ => Worth::Words,
    }
}
