//! Results of one call that are alike though they are not equal: their words are mostly the same, digits left out, and
//! nothing in them moves on.
//!
//! A number that moves one way is progress, and so is a result that grows or shrinks each time, and a state that lasted and
//! is another one now. Each of them begins the likeness anew.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::characters::{Class, is};
use super::number::decimal;
use crate::copies::clone_by_fields;
use turnkeeper_base::newest;
use turnkeeper_base::snapshot::Corrupt;
use turnkeeper_base::text::hash::{UnitHash, mixed};

/// This many calls are remembered, with what they gave last.
const CALLS: usize = 8;
/// The words of a result are told apart by this many places.
pub(super) const PLACES: usize = 32;
/// The numbers of a result that are followed, and after them its length.
const NUMBERS: usize = 6;
/// Results are alike if this many tenths of their words are the same.
const ALIKE: u32 = 7;
/// What has changed this often can be told to move on or not.
const FEW_CHANGES: u8 = 4;
/// A result with fewer words is short.
const FEW_WORDS: u32 = 12;

/// The words and numbers of a result.
#[derive(Debug, Clone, Copy)]
pub(super) struct Words {
    /// The least hash of the words that fall on each place.
    least: [u16; PLACES],
    count: u32,
    numbers: [f32; NUMBERS],
    number_count: usize,
    /// The sum of the times that something took or lasted, in seconds.
    lasted: f32,
}

impl Default for Words {
    fn default() -> Self {
        Self {
            least: [u16::MAX; PLACES],
            count: 0,
            numbers: [0.0; NUMBERS],
            number_count: 0,
            lasted: 0.0,
        }
    }
}

impl Words {
    #[inline]
    pub(super) fn add(&mut self, word: UnitHash) {
        let hash = word.0.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let least = &mut self.least[(hash >> 59) as usize];
        *least = (*least).min((hash >> 40) as u16);
        self.count += 1;
    }

    pub(super) fn add_number(&mut self, digits: &[u16]) {
        if let Some(place) = self.numbers.get_mut(self.number_count)
            && let Some(value) = value_of(digits)
        {
            *place = value;
        }
        self.number_count += 1;
    }

    pub(super) fn add_duration(&mut self, seconds: f32) {
        self.lasted += seconds;
    }

    pub(super) fn are_few(&self) -> bool {
        self.count < FEW_WORDS
    }

    /// A byte for each place, 0 for one without a word.
    pub(super) fn places(&self) -> [u8; PLACES] {
        self.least.map(|least| match least {
            u16::MAX => 0,
            least => least as u8 | 1,
        })
    }
}

/// The first number that digits and the marks between them are.
fn value_of(digits: &[u16]) -> Option<f32> {
    let is_digit = |unit: &u16| is(*unit, Class::DIGIT);
    let is_of_number = |unit: &&u16| is_digit(unit) || [b'.', b','].map(u16::from).contains(unit);
    let length = digits.iter().take_while(is_of_number).count();
    let last = digits[..length].iter().rposition(is_digit)?;
    decimal(&digits[..=last])
}

/// Whether as many tenths of the words of two texts are the same.
pub(super) fn are_alike(one: &[u8; PLACES], other: &[u8; PLACES], tenths: u32) -> bool {
    let (mut all, mut equal) = (0, 0);
    for (one, other) in one.iter().zip(other) {
        all += u32::from(*one | *other != 0);
        equal += u32::from(*one != 0 && one == other);
    }
    equal * 10 >= all * tenths
}

/// What the last calls gave.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(in super::super) struct Alike {
    /// From the one that was made the longest ago to the last.
    calls: VecDeque<Given>,
}

clone_by_fields! { Alike: calls }

/// What a call gave last.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Given {
    call: u64,
    /// Equal for results that are alike, until something moves on.
    likeness: u32,
    text: u32,
    words: [u8; PLACES],
    numbers: [f32; NUMBERS],
    length: u32,
    lasted: f32,
    /// How often each number, and last the length, has grown, how often it has shrunk, and how often anything changed.
    grown: [u8; NUMBERS + 1],
    shrunk: [u8; NUMBERS + 1],
    changes: u8,
    /// Whether the last two were equal.
    lasts: bool,
    /// How often in a row the time that something lasts has grown.
    aged: u8,
}

/// The likeness of a result to those before of its call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Likeness {
    pub(super) key: u64,
    /// It differs from the one before in the time that something lasts, which has grown each time.
    pub(super) ages: bool,
}

impl Alike {
    /// Takes the result of a call.
    pub(super) fn take(
        &mut self,
        call: u64,
        text: u64,
        length: usize,
        words: &Words,
        masked: u32,
    ) -> Likeness {
        // Where every other word has a number that is not compared, these are what it says.
        let is_of_numbers = masked * 4 > words.count;
        let mut now = Given {
            call,
            likeness: text as u32,
            text: text as u32,
            words: words.places(),
            numbers: words.numbers,
            length: length as u32,
            lasted: words.lasted,
            grown: [0; NUMBERS + 1],
            shrunk: [0; NUMBERS + 1],
            changes: 0,
            lasts: false,
            aged: 0,
        };
        if let Some(before) = newest::take(&mut self.calls, |given| given.call == call)
            && (before.text == now.text || !is_of_numbers && before.is_like(&now))
        {
            now.follow(&before);
        }
        newest::push(&mut self.calls, now, CALLS);
        Likeness {
            key: mixed(call, u64::from(now.likeness)),
            ages: now.aged > 1,
        }
    }

    pub(in super::super) fn validate(&self) -> Result<(), Corrupt> {
        Corrupt::unless(self.calls.len() <= CALLS)
    }
}

impl Given {
    fn is_like(&self, other: &Self) -> bool {
        are_alike(&self.words, &other.words, ALIKE)
    }

    /// Goes on from the result before, which is alike.
    fn follow(&mut self, before: &Self) {
        self.aged = match self.lasted > before.lasted && self.text == before.text {
            true => before.aged.saturating_add(1),
            false => 0,
        };
        if self.text == before.text {
            *self = Self {
                aged: self.aged,
                lasted: self.lasted,
                lasts: true,
                ..*before
            };
            return;
        }
        if before.lasts {
            // What lasted is another thing now.
            return;
        }
        let mut has_turned = false;
        for at in 0..=NUMBERS {
            let (was, is) = match at {
                NUMBERS => (before.length as f32, self.length as f32),
                _ => (before.numbers[at], self.numbers[at]),
            };
            let (grows, shrinks) = (is > was, is < was);
            let (grown, shrunk) = (before.grown[at], before.shrunk[at]);
            has_turned |= grows && shrunk >= FEW_CHANGES && grown == 0
                || shrinks && grown >= FEW_CHANGES && shrunk == 0;
            self.grown[at] = grown.saturating_add(u8::from(grows));
            self.shrunk[at] = shrunk.saturating_add(u8::from(shrinks));
        }
        self.changes = before.changes.saturating_add(1);
        let changes = self.changes;
        // One that moved in half of the changes, and always one way.
        let moves_on = |at: usize| {
            let (grown, shrunk) = (self.grown[at], self.shrunk[at]);
            (grown == 0 || shrunk == 0) && grown.max(shrunk) >= changes.div_ceil(2)
        };
        let gets_on = changes >= FEW_CHANGES && (0..=NUMBERS).any(moves_on);
        if has_turned {
            // Another phase begins.
            (self.grown, self.shrunk, self.changes) = ([0; NUMBERS + 1], [0; NUMBERS + 1], 0);
        }
        if !gets_on && !has_turned {
            self.likeness = before.likeness;
        }
    }
}
