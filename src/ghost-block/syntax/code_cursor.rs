//! Tells for offsets in order which code they are in.

use std::ops::Range;

/// Answers for offsets that never decrease, all of them together in time linear in the ranges.
pub(crate) struct CodeCursor<'a> {
    ranges: &'a [Range<usize>],
}

impl<'a> CodeCursor<'a> {
    pub(crate) fn new(ranges: &'a [Range<usize>]) -> Self {
        Self { ranges }
    }

    /// The end of the range that holds the offset, if one does.
    pub(crate) fn end_of(&mut self, at: usize) -> Option<usize> {
        while let Some((first, rest)) = self.ranges.split_first() {
            if first.end > at {
                return (first.start <= at).then_some(first.end);
            }
            self.ranges = rest;
        }
        None
    }
}
