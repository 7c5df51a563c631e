//! The room that summaries take, without writing them out.

use std::ops::Range;

use super::entry::{Entry, INSIGHT_SEPARATOR, INSIGHTS};
use turnkeeper_base::order;
use turnkeeper_base::text::Size;

/// The sizes of the entries up to each place, added up, so that those of any row of them are known at
/// once.
#[derive(Debug, Clone, Default)]
pub(super) struct Sizes(Vec<Sum>);

/// The sum of entries.
#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    /// Their texts, without the separators between them.
    whole: Size,
    /// Their insights, without the separators between them.
    insights: Size,
    /// The number of those that have insights.
    with_insights: u32,
}

impl Sizes {
    /// Takes in that the entries from this place on have changed.
    pub(super) fn update(&mut self, entries: &[Entry], from: usize) {
        self.0.truncate(from);
        for entry in &entries[self.0.len()..] {
            let before = self.0.last().copied().unwrap_or_default();
            let insights = Size::of_text(&entry.insights);
            self.0.push(Sum {
                whole: before.whole + size_of_entry(entry),
                insights: before.insights + insights,
                with_insights: before.with_insights + u32::from(insights != Size::default()),
            });
        }
    }

    /// The texts of the entries at these places, without the separators between them.
    pub(super) fn whole(&self, places: Range<usize>) -> Size {
        self.before(places.end).whole - self.before(places.start).whole
    }

    /// One entry with the insights of those at these places, or nothing for none.
    pub(super) fn shortened(&self, entries: &[Entry], places: Range<usize>) -> Option<Size> {
        let (from, to) = (self.before(places.start), self.before(places.end));
        let mut size = size_of_entry(&Entry::shortened_of(entries.get(places)?, "")?);
        let several = to.with_insights - from.with_insights;
        if several > 0 {
            let between = INSIGHT_SEPARATOR.len() as u32 * (several - 1);
            size += Size::plain(INSIGHTS.len() as u32 + between);
            size += to.insights - from.insights;
        }
        Some(size)
    }

    fn before(&self, place: usize) -> Sum {
        let last = place.checked_sub(1).and_then(|last| self.0.get(last));
        last.copied().unwrap_or_default()
    }
}

/// The size of an entry's text.
pub(super) fn size_of_entry(entry: &Entry) -> Size {
    Size::of_text(&entry.text())
}

/// The tokens of a text.
pub(super) fn tokens(text: &str) -> u64 {
    Size::of_text(text).tokens().into()
}

/// The most that each may take so that all have room together: who needs less leaves the rest to the others.
pub(super) fn level(sizes: &[u64], room: u64) -> u64 {
    let mut sizes = sizes.to_vec();
    order::sort_by_key(&mut sizes, |size| *size);
    let mut left = room;
    for (at, size) in sizes.iter().enumerate() {
        let share = left / (sizes.len() - at) as u64;
        if *size > share {
            return share;
        }
        left -= size;
    }
    room
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_needs_less_leaves_the_rest_to_the_others() {
        for (sizes, room, most) in [
            (&[][..], 10, 10),
            (&[3, 4], 10, 10),
            (&[3, 9], 10, 7),
            (&[9, 9, 1], 10, 4),
            (&[1, 2, 3], 0, 0),
        ] {
            assert_eq!(level(sizes, room), most, "{sizes:?}");
            let taken: u64 = sizes.iter().map(|size| (*size).min(most)).sum();
            assert!(taken <= room);
        }
    }
}
