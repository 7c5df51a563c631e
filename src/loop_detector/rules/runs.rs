//! Cycles in a sequence, in constant time for each item.
//!
//! For each period there is a count of the items in a row that equal the one a period before them. A
//! sequence goes round and round with a period exactly where that count grows, so nothing ever has to
//! be looked at again.

use crate::hash::mixed;
use crate::snapshot::Codec;

/// Follows the periods of a sequence.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Runs {
    /// The tool whose calls they are, where each has its own.
    pub(super) tool: u64,
    /// The last items, as many as the longest period has; the next one goes to `length` modulo that.
    items: Vec<Item>,
    /// Items so far.
    length: u64,
    /// By period, from 1: items in a row that equal the one a period before them, ...
    matched: Vec<u64>,
    /// and the index of the first item of the first round.
    first: Vec<u64>,
}

/// An item of the sequence, and the call that it stands for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Item {
    pub(super) key: u64,
    /// What the call is compared by.
    pub(super) call: u64,
    pub(super) index: u64,
}

impl Runs {
    /// Periods from 1 to `longest`.
    pub(super) fn new(longest: u64) -> Self {
        Self {
            tool: 0,
            items: Vec::new(),
            length: 0,
            matched: vec![0; longest as usize],
            first: vec![0; longest as usize],
        }
    }

    pub(super) fn longest(&self) -> usize {
        self.matched.len()
    }

    pub(super) fn clear(&mut self) {
        self.items.clear();
        self.length = 0;
    }

    /// No item to come is the same as the last one.
    pub(super) fn separate(&mut self) {
        for item in &mut self.items {
            item.key = mixed(item.key, 1);
        }
    }

    /// The item so many places before the one to come, or one of no meaning.
    #[inline(never)]
    pub(super) fn back(&self, count: u64) -> Item {
        let longest = self.matched.len().max(1) as u64;
        let place = self.length.wrapping_sub(count) % longest;
        match self.items.get(place as usize) {
            Some(item) if count <= self.length => *item,
            _ => Item::default(),
        }
    }

    pub(super) fn push(&mut self, item: Item) {
        let longest = self.matched.len();
        if longest == 0 {
            return;
        }
        for place in 0..longest {
            let period = place as u64 + 1;
            if self.repeats(period, item.key) {
                self.matched[place] += 1;
                continue;
            }
            self.matched[place] = 0;
            // Of the round that ends with this item.
            self.first[place] = match place {
                0 => item.index,
                _ => self.back(place as u64).index,
            };
        }
        if self.items.len() < longest {
            self.items.push(item);
        } else {
            self.items[self.length as usize % longest] = item;
        }
        self.length += 1;
    }

    /// Whether an item to come is the same as the one a period before it.
    fn repeats(&self, period: u64, key: u64) -> bool {
        period <= self.length && self.back(period).key == key
    }

    /// How many items repeat what came a period before, the first round included; with one that is to
    /// come, perhaps.
    #[inline(never)]
    pub(super) fn covered(&self, period: u64, coming: Option<u64>) -> u64 {
        let Some(&matched) = self.matched.get(period as usize - 1) else {
            return 0;
        };
        match coming {
            Some(key) if self.repeats(period, key) => matched + period + 1,
            _ if self.length + u64::from(coming.is_some()) < period => 0,
            Some(_) => period,
            None => matched + period,
        }
    }

    /// The index of the first item that repeats.
    pub(super) fn first_index(&self, period: u64) -> u64 {
        self.first.get(period as usize - 1).copied().unwrap_or(0)
    }

    /// Whether one of the last items stands for the call.
    pub(super) fn has(&self, call: u64) -> bool {
        self.items.iter().any(|item| item.call == call)
    }

    /// `longest` is the longest period, which one that was just made up does not know.
    pub(super) fn visit(&mut self, longest: u64, codec: &mut Codec) {
        codec.number(&mut self.tool, u64::MAX);
        codec.count(&mut self.length);
        codec.items(&mut self.items, longest as usize);
        codec.check(self.items.len() as u64 == self.length.min(longest));
        for item in &mut self.items {
            for number in [&mut item.key, &mut item.call, &mut item.index] {
                codec.number(number, u64::MAX);
            }
        }
        self.matched.resize(longest as usize, 0);
        self.first.resize(longest as usize, 0);
        for numbers in [&mut self.matched, &mut self.first] {
            for number in numbers {
                codec.count(number);
            }
        }
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
            let mut runs = Runs::new(longest);
            let mut seen: Vec<u64> = Vec::new();
            for (at, key) in keys.iter().enumerate() {
                if at == cleared {
                    runs = Runs::new(longest);
                    seen.clear();
                }
                let with: Vec<u64> = (1..=longest).map(|p| runs.covered(p, Some(*key))).collect();
                runs.push(Item { key: *key, call: *key, index: at as u64 });
                seen.push(*key);
                for period in 1..=longest {
                    let covered = naive(&seen, period as usize);
                    prop_assert_eq!(runs.covered(period, None), covered);
                    prop_assert_eq!(with[period as usize - 1], covered);
                    if covered >= period {
                        prop_assert_eq!(runs.first_index(period), at as u64 + 1 - covered);
                    }
                }
            }
        }
    }
}
