//! Cycles in a sequence, in constant time for each item.
//!
//! For each period there is a count of the items in a row that equal the one a period before them. A
//! sequence repeats with a period exactly where that count grows, so nothing ever has to
//! be looked at again.

use crate::counts::MAX_COUNT;
use serde::{Deserialize, Serialize};

use crate::copies::clone_by_fields;
use turnkeeper_base::snapshot::Corrupt;

/// Follows the periods of a sequence.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PeriodTracker {
    /// The last items, as many as the longest period has; the next one goes to `length` modulo that.
    items: Vec<Item>,
    /// The number of items so far.
    length: u64,
    /// Period 1 comes first.
    periods: Vec<Period>,
}

clone_by_fields! { PeriodTracker: items, length, periods }

/// An item of the sequence, and the call that it stands for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// The hash by which the item is compared.
    pub key: u64,
    /// The hash by which the call is compared; 0 for what is no call.
    pub call: u64,
    /// The place by which a report names it.
    pub index: u64,
}

/// The matches of one period.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Period {
    /// The number of items in a row that equal the one a period before them.
    matched: u64,
    /// The index of the first item of the first round.
    first_index: u64,
}

impl PeriodTracker {
    /// Follows periods from 1 to `longest`.
    pub fn new(longest: u64) -> Self {
        Self {
            items: Vec::new(),
            length: 0,
            periods: vec![Period::default(); longest as usize],
        }
    }

    /// Follows periods up to `longest`, too. Only before the first item.
    pub fn follow(&mut self, longest: u64) {
        if longest > self.longest() {
            *self = Self::new(longest);
        }
    }

    /// The longest period that is followed, 0 if none is.
    pub fn longest(&self) -> u64 {
        self.periods.len() as u64
    }

    /// Forgets all items.
    pub fn clear(&mut self) {
        self.items.clear();
        self.length = 0;
    }

    /// The item `count` places before the one to come, or one that stands for nothing.
    fn back(&self, count: u64) -> Item {
        let place = self.length.wrapping_sub(count) % self.longest().max(1);
        match self.items.get(place as usize) {
            Some(item) if count <= self.length => *item,
            _ => Item::default(),
        }
    }

    /// Takes the next item.
    pub fn push(&mut self, item: Item) {
        let longest = self.longest();
        if longest == 0 {
            return;
        }
        for period in 1..=longest {
            let repeats = self.repeats(period, item.key);
            // The round that ends with this item begins here.
            let first_index = match period {
                1 => item.index,
                _ => self.back(period - 1).index,
            };
            let known = &mut self.periods[period as usize - 1];
            if repeats {
                known.matched += 1;
            } else {
                *known = Period {
                    matched: 0,
                    first_index,
                };
            }
        }
        if self.items.len() < longest as usize {
            self.items.push(item);
        } else {
            self.items[(self.length % longest) as usize] = item;
        }
        self.length += 1;
    }

    /// Whether an item to come is the same as the one a period before it.
    fn repeats(&self, period: u64, key: u64) -> bool {
        period <= self.length && self.back(period).key == key
    }

    /// The number of items that repeat what came a period before them, the first round included.
    pub fn covered(&self, period: u64) -> u64 {
        match self.periods.get(period as usize - 1) {
            Some(known) if self.length >= period => known.matched + period,
            _ => 0,
        }
    }

    /// The index of the first item that repeats.
    pub fn first_index(&self, period: u64) -> u64 {
        let known = self.periods.get(period as usize - 1);
        known.map_or(0, |known| known.first_index)
    }

    /// Checks that this, out of a snapshot, is the state of a tracker that follows `longest` periods.
    pub fn validate(&self, longest: u64) -> Result<(), Corrupt> {
        Corrupt::unless(self.longest() == longest)?;
        Corrupt::unless(self.length <= MAX_COUNT)?;
        Corrupt::unless(self.items.len() as u64 == self.length.min(longest))?;
        Corrupt::unless(self.periods.iter().all(|known| known.matched <= MAX_COUNT))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Rescans everything.
    fn naive(keys: &[u64], period: usize) -> u64 {
        if keys.len() < period {
            return 0;
        }
        let matched = (period..keys.len())
            .rev()
            .take_while(|at| keys[*at] == keys[at - period])
            .count();
        (matched + period) as u64
    }

    proptest! {
        #[test]
        fn the_same_as_looking_back(
            keys in proptest::collection::vec(0u64..3, 0..60),
            cleared in 0usize..80,
            longest in 1u64..8,
        ) {
            let mut tracker = PeriodTracker::new(longest);
            let mut seen: Vec<u64> = Vec::new();
            for (at, key) in keys.iter().enumerate() {
                if at == cleared {
                    tracker = PeriodTracker::new(longest);
                    seen.clear();
                }
                tracker.push(Item { key: *key, call: *key, index: at as u64 });
                seen.push(*key);
                for period in 1..=longest {
                    let covered = naive(&seen, period as usize);
                    prop_assert_eq!(tracker.covered(period), covered);
                    if covered >= period {
                        prop_assert_eq!(tracker.first_index(period), at as u64 + 1 - covered);
                    }
                }
            }
        }
    }
}
