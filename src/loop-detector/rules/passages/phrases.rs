//! Text that goes round without being the same: most of its phrases were written before, or one sentence
//! comes again and again between others.
//!
//! A phrase is three words. Of the last [`KEPT`] of them it is known how often each was written, so a word
//! costs the same wherever it is.

use crate::counts::MAX_COUNT;
use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::super::Tally;
use crate::copies::clone_by_fields;
use turnkeeper_base::newest;
use turnkeeper_base::snapshot::Corrupt;

/// Phrases that are looked back on.
const KEPT: usize = 1_024;
/// Phrases are told apart by this many values, so that few are taken for others.
const VALUES: u64 = 4_096;
/// A phrase that was written this often before says nothing new.
const FEW: u16 = 4;
/// A new phrase takes this many old ones back: text goes round while three of four phrases say nothing new.
const NEW_PHRASE: u64 = 3;
/// Phrases without anything new. Recorded healthy texts, pages of forms among them, reach 170, and eight letters
/// of a hundred words that differ in names 340.
const NUDGE: u64 = 400;
const STOP: u64 = 1_200;

/// A phrase that was written this often before is known. Text that is made of such phrases, 19 of 20 of the last 128,
/// is a nudge.
const KNOWN: u16 = 3;
const KNOWN_OF_WINDOW: u64 = 122;

/// Sentences that are remembered, and for how many words.
const SENTENCES: usize = 16;
const SENTENCE_WORDS: u64 = 80;
/// A sentence that comes this often. In recorded healthy texts one comes 6 times; a report on 40 files may say of
/// each that nothing was found, so the stop is far.
const SENTENCE_NUDGE: u64 = 15;
const SENTENCE_STOP: u64 = 100;

/// Follows the words and sentences of a text.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Phrases {
    /// The two words before.
    before: [u64; 2],
    /// The last phrases, at `words % KEPT` the oldest once there are that many.
    recent: Vec<u16>,
    /// The number of times that each of them was written; made when the text is long enough.
    #[serde(skip)]
    counts: Vec<u16>,
    words: u64,
    /// Phrases that say nothing new, less what new ones have taken back.
    idle: u64,
    /// The offset at which `idle` began to rise.
    first: u64,
    /// From the one that came last the longest ago to the one that came last.
    sentences: VecDeque<Sentence>,
    was_nudged: bool,
    /// For each of the last phrases, from the lowest bit on, whether it was written three times before.
    window: u128,
}

clone_by_fields! {
    Phrases:
    before, recent, counts, words, idle, first, sentences, was_nudged, window
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Sentence {
    hash: u64,
    count: u64,
    /// The number of words when it came last.
    words: u64,
    /// The offset in the text at which it came first.
    first: u64,
}

/// What comes again in a text that goes round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RoundKind {
    Phrases,
    Sentence,
    /// All of a long thinking.
    Thinking,
    /// Sentences in a row that differ in one place, ...
    AlikeSentences,
    /// or not at all.
    EqualSentences,
}

/// A text that goes round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Round {
    pub(super) is_stop: bool,
    pub(super) kind: RoundKind,
    /// From the offset at which it begins to the unit with which it was found.
    pub(super) tally: Tally,
}

impl Phrases {
    /// Takes the next word, which begins or ends at `at`.
    pub(super) fn word(&mut self, word: u64, at: u64) -> Option<Round> {
        let [first, second] = self.before;
        self.before = [second, word];
        let mixed = (first.rotate_left(21) ^ second.rotate_left(42) ^ word)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let phrase = (mixed >> 32) % VALUES;
        let count = self.count(phrase as u16)?;
        let is_known = count > KNOWN;
        let is_old = count > FEW;
        self.window = self.window << 1 | u128::from(is_known);
        let known = u64::from(self.window.count_ones());
        if !is_old {
            self.idle = self.idle.saturating_sub(NEW_PHRASE);
        } else {
            if self.idle == 0 {
                self.first = at;
            }
            self.idle += 1;
        }
        let (count, threshold) = match known >= KNOWN_OF_WINDOW && self.idle < NUDGE {
            true => (known, KNOWN_OF_WINDOW),
            false => (self.idle, NUDGE),
        };
        let round = Round {
            is_stop: is_old && self.idle >= STOP,
            kind: RoundKind::Phrases,
            tally: Tally {
                count,
                threshold,
                first_index: self.first,
                last_index: at,
            },
        };
        self.judge(round, STOP)
    }

    /// Takes a phrase. The number of times that it is among the last ones; none while the text is short.
    fn count(&mut self, value: u16) -> Option<u16> {
        let place = (self.words % KEPT as u64) as usize;
        self.words += 1;
        // A short text needs no table of counts.
        if self.counts.is_empty() && self.recent.len() >= NUDGE as usize / 4 {
            self.counts.resize(VALUES as usize, 0);
            for phrase in &self.recent {
                self.counts[usize::from(*phrase)] += 1;
            }
        }
        let oldest = match self.recent.get_mut(place) {
            Some(oldest) => Some(std::mem::replace(oldest, value)),
            None => {
                self.recent.push(value);
                None
            }
        };
        if self.counts.is_empty() {
            return None;
        }
        if let Some(oldest) = oldest {
            self.counts[usize::from(oldest)] -= 1;
        }
        let count = &mut self.counts[usize::from(value)];
        *count += 1;
        Some(*count)
    }

    /// Takes a sentence, whose last word was the last one.
    pub(super) fn sentence(&mut self, words: &[u64], begin: u64, at: u64) -> Option<Round> {
        let hash = words.iter().fold(0u64, |hash, word| {
            hash.rotate_left(7).wrapping_mul(31) ^ word
        });
        let known = newest::take(&mut self.sentences, |known| known.hash == hash)
            .filter(|known| self.words - known.words <= SENTENCE_WORDS);
        let sentence = Sentence {
            hash,
            count: known.map_or(0, |known| known.count) + 1,
            words: self.words,
            first: known.map_or(begin, |known| known.first),
        };
        newest::push(&mut self.sentences, sentence, SENTENCES);
        let round = Round {
            is_stop: sentence.count >= SENTENCE_STOP,
            kind: RoundKind::Sentence,
            tally: Tally {
                count: sentence.count,
                threshold: SENTENCE_NUDGE,
                first_index: sentence.first,
                last_index: at,
            },
        };
        self.judge(round, SENTENCE_STOP)
    }

    /// One nudge for a text, and one stop for what goes on all the same.
    fn judge(&mut self, mut round: Round, stop: u64) -> Option<Round> {
        let Tally {
            count, threshold, ..
        } = round.tally;
        if count < threshold || self.was_nudged && count != stop {
            return None;
        }
        self.was_nudged = true;
        if round.is_stop {
            round.tally.threshold = stop;
        }
        Some(round)
    }

    /// Checks that a text can go on from it.
    pub(super) fn validate(&self) -> Result<(), Corrupt> {
        let kept = self.words.min(KEPT as u64) as usize;
        Corrupt::unless(self.words <= MAX_COUNT && self.recent.len() == kept)?;
        Corrupt::unless(self.recent.iter().all(|phrase| u64::from(*phrase) < VALUES))?;
        Corrupt::unless(self.idle <= self.words && self.first <= MAX_COUNT)?;
        let fits = |known: &Sentence| {
            known.words <= self.words && known.count <= MAX_COUNT && known.first <= MAX_COUNT
        };
        Corrupt::unless(self.sentences.len() <= SENTENCES && self.sentences.iter().all(fits))
    }
}
