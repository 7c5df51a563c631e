//! Which windows of a text were there before: so many units at every place.
//!
//! A rolling hash tells windows apart, and chains link each place to the one before it whose hash falls
//! into the same bucket. Places that are too old are passed by, not removed, so forgetting them costs
//! nothing.

/// The places of the windows of a text. They count on, whatever is forgotten.
#[derive(Debug, Clone)]
pub struct Windows {
    /// Units of a window, and what the first of them has in its hash.
    unit: usize,
    first: u64,
    /// The hash of the window before the next, if the next one follows it.
    rolling: Option<u64>,
    /// By place, modulo the room: the hash of the window there, and the place behind the one before in
    /// its bucket; by bucket, the place behind the last.
    /// One behind the other, as long as each other.
    places: Vec<u64>,
}

const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

fn value(unit: u16) -> u64 {
    u64::from(unit) + 1
}

impl Windows {
    /// Of so many units, with room for at least so many places.
    pub fn new(unit: usize, room: usize) -> Self {
        let mut first = 1u64;
        for _ in 1..unit {
            first = first.wrapping_mul(BASE);
        }
        let room = room.next_power_of_two();
        Self {
            unit,
            first,
            rolling: None,
            places: vec![0; room * 3],
        }
    }

    /// The next window does not follow the one before.
    pub fn interrupt(&mut self) {
        self.rolling = None;
    }

    /// Enters windows of `text`, of which the first stands at `start` there and at `place`, up to the
    /// end or to one that was there before, at or behind `begin`. How many were entered.
    pub fn enter(&mut self, text: &[u16], start: usize, place: u64, begin: u64) -> usize {
        if text.len() < start + self.unit {
            return 0;
        }
        let (unit, first) = (self.unit, self.first);
        let roll = |hash: u64, gone: u16, come: u16| {
            hash.wrapping_sub(value(gone).wrapping_mul(first))
                .wrapping_mul(BASE)
                .wrapping_add(value(come))
        };
        let mut hash = match self.rolling {
            Some(before) => roll(before, text[start - 1], text[start + unit - 1]),
            None => {
                let mut hash = 0u64;
                for unit in &text[start..start + unit] {
                    hash = hash.wrapping_mul(BASE).wrapping_add(value(*unit));
                }
                hash
            }
        };
        let room = self.places.len() / 3;
        let (hashes, rest) = self.places.split_at_mut(room);
        let (befores, heads) = rest.split_at_mut(room);
        let mask = heads.len() - 1;
        let mut at = place;
        let mut moves = text[start..].iter().zip(&text[start + unit..]);
        loop {
            // The upper half has to depend on all of it.
            let mixed = (hash ^ hash >> 32).wrapping_mul(BASE);
            let (slot, bucket) = (at as usize & mask, (mixed >> 32) as usize & mask);
            let before = std::mem::replace(&mut heads[bucket], at + 1);
            hashes[slot] = mixed;
            befores[slot] = before;
            at += 1;
            let may_be_known = before > begin;
            if may_be_known && earlier(hashes, befores, at - 1, begin).is_some() {
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

    /// The last place before one that was entered, at or behind `begin`, that has the same window.
    pub fn before(&self, at: u64, begin: u64) -> Option<u64> {
        let room = self.places.len() / 3;
        let (hashes, rest) = self.places.split_at(room);
        earlier(hashes, &rest[..room], at, begin)
    }
}

fn earlier(hashes: &[u64], befores: &[u64], at: u64, begin: u64) -> Option<u64> {
    let mask = hashes.len() - 1;
    let slot = at as usize & mask;
    let hash = hashes[slot];
    let mut behind = befores[slot];
    while behind > begin {
        let slot = (behind - 1) as usize & mask;
        if hashes[slot] == hash {
            return Some(behind - 1);
        }
        behind = befores[slot];
    }
    None
}
