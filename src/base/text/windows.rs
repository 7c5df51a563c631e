//! The windows of a text, all of one length, that have occurred before.
//!
//! A rolling hash tells windows apart. Each place is linked to the one before it whose hash falls
//! into the same bucket. Places that are too old are passed by, not removed, so forgetting them costs
//! nothing.

/// The places of the windows of a text. They count on, whatever is forgotten.
#[derive(Debug, Clone)]
pub struct Windows {
    /// Units of a window.
    length: usize,
    /// The factor of a window's first unit in its hash.
    first_factor: u64,
    /// The hash of the window before the next, if the next one follows it.
    rolling: Option<u64>,
    /// By place, modulo the room: the hash of the window there.
    hashes: Vec<u64>,
    /// By place, modulo the room: one more than the place before in the same bucket, 0 for none.
    previous: Vec<u64>,
    /// By bucket: one more than the last place in it, 0 for none.
    latest: Vec<u64>,
}

const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

/// A unit's part of a hash; none is 0, so that leading units count.
fn value(unit: u16) -> u64 {
    u64::from(unit) + 1
}

impl Windows {
    /// Windows of `length` units, with room for at least `room` places.
    pub fn new(length: usize, room: usize) -> Self {
        let mut first_factor = 1u64;
        for _ in 1..length {
            first_factor = first_factor.wrapping_mul(BASE);
        }
        let room = room.next_power_of_two();
        Self {
            length,
            first_factor,
            rolling: None,
            hashes: vec![0; room],
            previous: vec![0; room],
            latest: vec![0; room],
        }
    }

    /// The next window does not follow the one before.
    pub fn interrupt(&mut self) {
        self.rolling = None;
    }

    /// Enters windows of `text`, of which the first is at `start` there and at `place`, up to the
    /// end or to one that was there before, at or after `begin`. Returns how many were entered.
    pub fn enter(&mut self, text: &[u16], start: usize, place: u64, begin: u64) -> usize {
        let (length, first_factor) = (self.length, self.first_factor);
        if text.len() < start + length {
            return 0;
        }
        let roll = |hash: u64, gone: u16, come: u16| {
            hash.wrapping_sub(value(gone).wrapping_mul(first_factor))
                .wrapping_mul(BASE)
                .wrapping_add(value(come))
        };
        let mut hash = match self.rolling {
            Some(before) => roll(before, text[start - 1], text[start + length - 1]),
            None => (text[start..start + length].iter()).fold(0u64, |hash, unit| {
                hash.wrapping_mul(BASE).wrapping_add(value(*unit))
            }),
        };
        // Slices, whose lengths do not change while the loop runs.
        let (hashes, previous) = (&mut self.hashes[..], &mut self.previous[..]);
        let latest = &mut self.latest[..];
        let mask = latest.len() - 1;
        let mut at = place;
        let mut moves = text[start..].iter().zip(&text[start + length..]);
        loop {
            // The upper half has to depend on all of it.
            let mixed = (hash ^ hash >> 32).wrapping_mul(BASE);
            let (slot, bucket) = (at as usize & mask, (mixed >> 32) as usize & mask);
            let before = std::mem::replace(&mut latest[bucket], at + 1);
            hashes[slot] = mixed;
            previous[slot] = before;
            at += 1;
            let may_be_known = before > begin;
            if may_be_known && earlier(hashes, previous, at - 1, begin).is_some() {
                break;
            }
            let Some((gone, come)) = moves.next() else {
                break;
            };
            hash = roll(hash, *gone, *come);
        }
        self.rolling = Some(hash);
        (at - place) as usize
    }

    /// The last place before one that was entered, at or after `begin`, that has the same window.
    pub fn before(&self, at: u64, begin: u64) -> Option<u64> {
        earlier(&self.hashes, &self.previous, at, begin)
    }
}

fn earlier(hashes: &[u64], previous: &[u64], at: u64, begin: u64) -> Option<u64> {
    let mask = hashes.len() - 1;
    let slot = at as usize & mask;
    let hash = hashes[slot];
    let mut after_place = previous[slot];
    while after_place > begin {
        let slot = (after_place - 1) as usize & mask;
        if hashes[slot] == hash {
            return Some(after_place - 1);
        }
        after_place = previous[slot];
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn as_a_look_at_every_place_finds_it(
            text in proptest::collection::vec(0u16..2, 0..120),
            length in 1usize..9,
            begin in 0u64..40,
        ) {
            let mut windows = Windows::new(length, text.len());
            let places = (text.len() + 1).saturating_sub(length);
            let mut entered = 0;
            while entered < places {
                entered += windows.enter(&text, entered, entered as u64, begin);
                let last = entered - 1;
                let window = &text[last..last + length];
                let earlier = (begin as usize..last).rev();
                let expected = earlier.into_iter().find(|at| text[*at..*at + length] == *window);
                let found = windows.before(last as u64, begin);
                prop_assert_eq!(found, expected.map(|at| at as u64));
                prop_assert!(found.is_some() || entered == places);
            }
        }
    }
}
