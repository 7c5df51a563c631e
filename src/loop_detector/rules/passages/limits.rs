//! When a repeated passage is a loop.

/// What a unit of text is worth as evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Worth {
    /// White space: a loop only when there is very much of it.
    Blank,
    /// What dividers, lists, tables and boxes are drawn with: never a loop by itself.
    Drawing,
    /// Words: a loop.
    Words,
}

/// When a repeated passage is a loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limits {
    /// Copies that make a loop together with `few_units`.
    pub(crate) copies: u64,
}

/// Even a short passage must have filled so many units.
const FEW_UNITS: u64 = 200;
/// Of a long passage so many copies are enough, if they fill 100 units for each of `copies`.
const FEW_COPIES: u64 = 5;

impl Limits {
    /// How many copies of a passage of `period` units make a loop, and which number of copies the
    /// rule asks for.
    pub(crate) fn copies_of(self, period: u64, worth: Worth) -> Option<(u64, u64)> {
        let many = self.copies.max(2);
        let long = (
            FEW_COPIES.max(self.copies.saturating_mul(100).div_ceil(period)),
            FEW_COPIES,
        );
        let short = (many.max(FEW_UNITS.div_ceil(period)), many);
        match worth {
            Worth::Words => Some(if short.0 <= long.0 { short } else { long }),
            Worth::Blank => Some(long),
            Worth::Drawing => None,
        }
    }
}

/// What the unit is worth, by itself.
pub(crate) fn worth(unit: u16) -> Worth {
    match char::from_u32(u32::from(unit)) {
        Some(c) if c.is_whitespace() => Worth::Blank,
        Some('-' | '=' | '_' | '*' | '#' | '~' | '|' | '+' | ':' | '.' | '>' | '<' | '`' | '/') => {
            Worth::Drawing
        }
        Some('\\' | '–' | '—' | '…' | '·' | '•' | '\u{2500}'..='\u{259f}') => {
            Worth::Drawing
        }
        // What `lines` puts for a table's row, a block of code or a list's number.
        Some('\u{e000}'..='\u{f8ff}') => Worth::Drawing,
        _ => Worth::Words,
    }
}
