//! Thinking that was thought before: most of the last phrases were written earlier in it, however far back.
//!
//! A hint inside one message is heard by nobody, so this is a stop at once. A phrase is five words, and of four one is
//! looked at.

use crate::counts::MAX_COUNT;
use serde::{Deserialize, Serialize};

use crate::copies::clone_by_fields;
use turnkeeper_base::snapshot::Corrupt;

/// The bytes in which a bit is set for each phrase, until half of the bits are.
const BYTES: usize = 2_048;
const MOST_BITS: u64 = BYTES as u64 * 4;
/// Of this many phrases one is looked at.
const SAMPLED: u64 = 4;
/// Words of a thinking in which nothing is remembered: most are over by then.
const FIRST_WORDS: u64 = 330;
/// Nine tenths of the last phrases, which fill some 2,000 units. Of recorded healthy thinking none reaches half of it.
const WINDOW: u32 = 80;
pub(super) const KNOWN_OF_WINDOW: u32 = 72;

/// The phrases of a thinking.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct KnownText {
    /// The words before.
    before: [u64; 4],
    words: u64,
    /// The bits of the phrases; empty before the first.
    #[serde(with = "serde_bytes")]
    bits: Vec<u8>,
    set: u64,
    /// For each of the last phrases, from the lowest bit on, whether it was known.
    window: u128,
    /// The offset of the first of them that was known.
    first: u64,
}

clone_by_fields! { KnownText: before, words, bits, set, window, first }

impl KnownText {
    /// Takes the next word, at an offset. If it shows that all is known by now, the offset since when.
    pub(super) fn word(&mut self, word: u64, at: u64) -> Option<u64> {
        let [first, second, third, fourth] = self.before;
        self.before = [second, third, fourth, word];
        self.words = (self.words + 1).min(MAX_COUNT);
        if self.words <= FIRST_WORDS {
            return None;
        }
        let words = [first, second, third, fourth, word];
        let phrase = words.iter().fold(0u64, |hash, word| {
            (hash.rotate_left(11) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        });
        if (phrase >> 40) % SAMPLED != 0 {
            return None;
        }
        if self.bits.is_empty() {
            self.bits.resize(BYTES, 0);
        }
        let place = (phrase >> 43) as usize % (BYTES * 8);
        let bit = 1 << (place % 8);
        let is_known = self.bits[place / 8] & bit != 0;
        if !is_known && self.set < MOST_BITS {
            self.bits[place / 8] |= bit;
            self.set += 1;
        }
        if is_known && self.window == 0 {
            self.first = at;
        }
        let newest = u128::MAX >> (u128::BITS - WINDOW);
        self.window = (self.window << 1 | u128::from(is_known)) & newest;
        (self.window.count_ones() >= KNOWN_OF_WINDOW).then_some(self.first)
    }

    /// Checks that a text can go on from it.
    pub(super) fn validate(&self) -> Result<(), Corrupt> {
        let has_bits = self.bits.is_empty() || self.bits.len() == BYTES;
        Corrupt::unless(
            has_bits && self.set <= MOST_BITS && self.words <= MAX_COUNT && self.first <= MAX_COUNT,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of words after which a thinking is known, of which each word is given by its place.
    fn known_at(word_at: impl Fn(u64) -> u64) -> Option<u64> {
        let mut known = KnownText::default();
        (0..20_000).find(|at| known.word(word_at(*at), *at).is_some())
    }

    #[test]
    fn a_long_thinking_that_comes_again_is_known_within_two_thousand_units() {
        let word = |at: u64| (at % 5_000 + 1).wrapping_mul(0x1234_5678_9abc_def1);
        let known = known_at(word).expect("it comes again");
        assert!((5_300..5_800).contains(&known), "{known}");
        assert_eq!(
            known_at(|at| (at + 1).wrapping_mul(0x1234_5678_9abc_def1)),
            None
        );
        // Half of it is new each time.
        let half = |at: u64| match at / 20 % 2 {
            0 => word(at % 2_000),
            _ => (at + 1).wrapping_mul(0x1234_5678_9abc_def1),
        };
        assert_eq!(known_at(half), None);
    }
}
