//! A text whose directives were carried out, and where each part of it came from.

use std::ops::Range;

/// A text whose directives were carried out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Expanded {
    pub(crate) units: Vec<u16>,
    /// The offsets of each `@` that was written `\@`.
    pub(crate) literals: Vec<usize>,
    /// From each of these offsets on, the text came from there.
    origins: Vec<Origin>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Origin {
    at: usize,
    from: usize,
    /// Whether all of it comes from one use of a macro, so that only the use's start can be told.
    is_macro: bool,
}

impl Expanded {
    /// A text without directives.
    pub(crate) fn without_directives(units: &[u16], literals: &[usize]) -> Self {
        Self {
            units: units.to_vec(),
            literals: literals.to_vec(),
            origins: Vec::new(),
        }
    }

    /// The offset that the unit at `at` came from.
    pub(crate) fn origin(&self, at: usize) -> usize {
        let later = self.origins.partition_point(|origin| origin.at <= at);
        match self.origins.get(later.wrapping_sub(1)) {
            Some(origin) if origin.is_macro => origin.from,
            Some(origin) => origin.from + (at - origin.at),
            None => at,
        }
    }

    pub(crate) fn is_literal(&self, at: usize) -> bool {
        self.literals.binary_search(&at).is_ok()
    }

    /// Appends a part of the text as it was written.
    pub(super) fn copy(&mut self, units: &[u16], range: Range<usize>) {
        if !range.is_empty() {
            self.origins.push(Origin {
                at: self.units.len(),
                from: range.start,
                is_macro: false,
            });
            self.units.extend_from_slice(&units[range]);
        }
    }

    /// Marks that what is appended next is an `@` that was written `\@`.
    pub(super) fn mark_literal(&mut self) {
        self.literals.push(self.units.len());
    }

    /// Marks that everything from `start` on came from a macro that is used at `from`.
    pub(super) fn mark_macro(&mut self, start: usize, from: usize) {
        if self.units.len() > start {
            self.origins.push(Origin {
                at: start,
                from,
                is_macro: true,
            });
        }
    }

    /// Takes back what was appended from `start` on.
    pub(super) fn truncate(&mut self, start: usize) {
        self.units.truncate(start);
        let literals = self.literals.partition_point(|&literal| literal < start);
        self.literals.truncate(literals);
    }
}
