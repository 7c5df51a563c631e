//! Sentences that differ in one place only, or not at all: "I will check. I will verify. I will confirm."
//!
//! The state is two sentences of a few words and what all of a run have in common, so a unit costs the
//! same wherever it is. Lists, tables, code and headings are no sentences.

use crate::counts::MAX_COUNT;
use serde::{Deserialize, Serialize};

use super::super::Tally;
use super::known::{KNOWN_OF_WINDOW, KnownText};
use super::lines::LIST_NUMBER;
use super::phrases::{Phrases, Round, RoundKind};
use crate::copies::clone_by_fields;
use turnkeeper_base::snapshot::Corrupt;
use turnkeeper_base::text::hash::UnitHash;

/// A longer sentence is no part of a run.
const MOST_WORDS: usize = 16;
/// The number of words that have to be the same, at the beginning and at the end together.
const FRAME: usize = 2;
/// Words that may differ, and one more in unspaced scripts, where a character is one.
const SLOT: usize = 3;
/// A sentence that comes again and again has this many words or more.
const SENTENCE_WORDS: usize = 4;
/// This many sentences in a row that differ in one place, or not at all, are a nudge: written parallels reach 3.
const ALIKE: u64 = 5;
/// So much of a sentence is shown.
const SHOWN_UNITS: usize = 200;
const NEWLINE: u16 = 0x0a;
const BACKTICK: u16 = 0x60;
const STAR: u16 = 0x2a;

/// Follows runs of sentences.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Slots {
    /// The word under way, 0 for none.
    word: u64,
    /// The words of the sentence under way, those that are characters, and its beginning.
    words: Vec<u64>,
    unspaced: u64,
    shown: Vec<u16>,
    /// Runs that have become long enough and that nobody has taken yet, from the first to the last.
    #[serde(skip)]
    pub(super) found: Vec<RoundOfText>,
    /// The offsets of the sentence under way and of the first sentence of the run.
    begin: u64,
    first: u64,
    /// The words of the sentence before.
    last: Vec<u64>,
    /// Sentences in a row, the words that all have in common at the beginning and at the end, and how
    /// many the longest has.
    count: u64,
    front: u64,
    back: u64,
    longest: u64,
    /// Whether the last unit may end a sentence.
    may_end: bool,
    /// Whether nothing of the line was read but its beginning, and whether it is no prose.
    is_inside: bool,
    is_skipped: bool,
    /// Whether the line so far is a star.
    is_after_star: bool,
    /// Whether the host was told.
    nudged: bool,
    /// The words and sentences, with what differs between them.
    phrases: Phrases,
    /// What is known of a thinking.
    known: KnownText,
    /// Whether the text is a thinking.
    #[serde(skip)]
    pub(super) is_thinking: bool,
    /// A round that was found in them and that nobody has taken yet.
    #[serde(skip)]
    pub(super) round: Option<RoundOfText>,
}

clone_by_fields! {
    Slots:
    word, words, unspaced, shown, found, begin, first, last, count, front, back, longest, may_end,
    is_inside, is_skipped, is_after_star, nudged, phrases, known, is_thinking, round
}

/// A text that goes round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RoundOfText {
    pub(super) round: Round,
    /// The sentence with which it was found, as far as it was written.
    pub(super) shown: Vec<u16>,
}

impl Slots {
    /// Whether there is something that nobody has taken yet.
    pub(super) fn has_found(&self) -> bool {
        self.round.is_some() || !self.found.is_empty()
    }

    /// Takes units, the first of which is at `at`. A run that has become long enough goes to `found`.
    pub(super) fn push_all(&mut self, units: &[u16], mut at: u64) {
        let mut rest = units;
        while let Some((&unit, after)) = rest.split_first() {
            // Most units are a word's next letters, which change nothing else.
            let is_letter = |unit: &&u16| self.word != 0 && matches!(**unit, 0x61..=0x7a);
            let letters = rest.iter().take_while(is_letter).count();
            if letters > 0 {
                let (word, others) = rest.split_at(letters);
                self.letters(word);
                at += letters as u64;
                rest = others;
            } else {
                self.push(unit, at);
                at += 1;
                rest = after;
            }
        }
    }

    /// Takes a unit.
    pub(super) fn push(&mut self, unit: u16, at: u64) {
        if std::mem::take(&mut self.may_end) && matches!(unit, 0..=0x20 | 0x22 | 0x29 | 0x2a) {
            self.end_sentence(at);
        }
        if unit == NEWLINE {
            self.end_word(at);
            if !self.is_skipped && (!self.words.is_empty() || self.word != 0) {
                self.part();
            }
            return self.end_line();
        }
        if !self.is_inside && !self.begin_line(unit) {
            return;
        }
        // A star before white space is a list's, and otherwise it emphasises.
        if std::mem::take(&mut self.is_after_star) && matches!(unit, 0x20 | 9) {
            self.is_skipped = true;
            self.part();
        }
        if self.is_skipped {
            return;
        }
        if self.shown.is_empty() {
            // A sentence that begins with code is an item of a list of names.
            if unit == BACKTICK {
                self.part();
            }
            self.begin = at;
        }
        if matches!(
            unit,
            0x30..=0x39 | 0x41..=0x5a | 0x61..=0x7a | 0xc0..=0x24f | 0x370..=0x5ff
        ) {
            return self.letter(unit);
        }
        self.show(unit);
        self.end_word(at);
        match unit {
            // . ! ?
            0x2e | 0x21 | 0x3f => self.may_end = true,
            // 。！？；
            0x3002 | 0xff01 | 0xff1f | 0xff1b => self.end_sentence(at),
            0x2e80..=0x2fff | 0x3040..=0xd7af => {
                self.unspaced += 1;
                self.add(unit.into(), at);
            }
            _ => {}
        }
    }

    /// Takes the first units of a line. False if nothing follows from this one yet.
    fn begin_line(&mut self, unit: u16) -> bool {
        if matches!(unit, 0x20 | 9) {
            return false;
        }
        self.is_inside = true;
        self.is_after_star = unit == STAR;
        // - + # > | digits, bullets, drawings, emoji, and what `lines` has folded
        if matches!(
            unit,
            0x2d | 0x2b | 0x23 | 0x3e | 0x7c | 0x30..=0x39 | 0x2022 | 0x2500..=0x2bff
                | 0xd800..=LIST_NUMBER
        ) {
            self.is_skipped = true;
            self.part();
        }
        !self.is_after_star
    }

    /// A letter or digit of a word.
    fn letter(&mut self, unit: u16) {
        self.show(unit);
        let mut hash = match self.word {
            0 => UnitHash::EMPTY,
            word => UnitHash(word),
        };
        let is_capital = matches!(unit, 0x41..=0x5a);
        hash.push(unit | if is_capital { 0x20 } else { 0 });
        self.word = hash.0;
    }

    /// The next letters of a word.
    fn letters(&mut self, letters: &[u16]) {
        let room = SHOWN_UNITS.saturating_sub(self.shown.len());
        self.shown
            .extend_from_slice(letters.get(..room).unwrap_or(letters));
        let mut hash = UnitHash(self.word);
        letters.iter().for_each(|letter| hash.push(*letter));
        self.word = hash.0;
    }

    fn show(&mut self, unit: u16) {
        if self.shown.len() < SHOWN_UNITS && (unit > 0x20 || !self.shown.is_empty()) {
            self.shown.push(unit);
        }
    }

    fn end_word(&mut self, at: u64) {
        let word = std::mem::take(&mut self.word);
        if word != 0 {
            self.add(word, at);
        }
    }

    fn add(&mut self, word: u64, at: u64) {
        let round = self.phrases.word(word, at);
        self.goes_round(round);
        if self.is_thinking
            && let Some(first) = self.known.word(word, at)
        {
            self.goes_round(Some(Round {
                is_stop: true,
                kind: RoundKind::Thinking,
                tally: Tally {
                    count: KNOWN_OF_WINDOW.into(),
                    threshold: KNOWN_OF_WINDOW.into(),
                    first_index: first,
                    last_index: at,
                },
            }));
        }
        if self.words.len() <= MOST_WORDS {
            self.words.push(word);
        }
    }

    fn goes_round(&mut self, round: Option<Round>) {
        // A stop that nobody has taken yet comes before whatever follows it.
        let is_stopped = self.round.as_ref().is_some_and(|found| found.round.is_stop);
        if let Some(round) = round.filter(|_| !is_stopped) {
            let shown = self.shown.clone();
            self.round = Some(RoundOfText { round, shown });
        }
    }

    fn end_line(&mut self) {
        self.words.clear();
        self.shown.clear();
        self.unspaced = 0;
        self.word = 0;
        self.is_inside = false;
        self.is_skipped = false;
        self.is_after_star = false;
    }

    /// The run ends.
    fn part(&mut self) {
        self.last.clear();
        self.count = 0;
        self.nudged = false;
    }

    fn end_sentence(&mut self, at: u64) {
        self.end_word(at);
        let count = self.words.len();
        if (SENTENCE_WORDS..=MOST_WORDS).contains(&count) {
            let round = self.phrases.sentence(&self.words, self.begin, at);
            self.goes_round(round);
        }
        let is_unspaced = self.unspaced as usize * 2 > count;
        let slot = SLOT + usize::from(is_unspaced);
        self.unspaced = 0;
        if count == 0 {
            return;
        }
        if count > MOST_WORDS || count < slot {
            self.part();
            self.words.clear();
        } else {
            self.compare(slot);
            std::mem::swap(&mut self.words, &mut self.last);
            self.words.clear();
        }
        if !self.nudged && self.count >= ALIKE {
            self.nudged = true;
            let round = Round {
                is_stop: false,
                kind: match self.front == self.longest {
                    true => RoundKind::EqualSentences,
                    false => RoundKind::AlikeSentences,
                },
                tally: Tally {
                    count: ALIKE,
                    threshold: ALIKE,
                    first_index: self.first,
                    last_index: at,
                },
            };
            let shown = self.shown.clone();
            self.found.push(RoundOfText { round, shown });
        }
        self.shown.clear();
    }

    /// Counts the sentence as one more of the run, or as the first or second of another one.
    fn compare(&mut self, slot: usize) {
        let (words, last) = (&self.words, &self.last);
        let least = words.len().min(last.len());
        let mut front = 0;
        while front < least && words[front] == last[front] {
            front += 1;
        }
        let mut back = 0;
        while back < least - front && words[words.len() - 1 - back] == last[last.len() - 1 - back] {
            back += 1;
        }
        let fits = |front: usize, back: usize, longest: usize| {
            front + back >= FRAME && longest <= front + back + slot
        };
        let longest = words.len().max(last.len());
        let of_all = (
            front.min(self.front as usize),
            back.min(self.back as usize),
            longest.max(self.longest as usize),
        );
        let mut common = (front, back, longest);
        if self.count > 1 && fits(of_all.0, of_all.1, of_all.2) {
            common = of_all;
            self.count += 1;
        } else {
            // Of a pair, the first sentence is no longer known where it began: the second is.
            let is_pair = self.count > 0 && fits(front, back, longest);
            if self.count != 1 || !is_pair {
                self.first = self.begin;
                self.nudged = false;
            }
            self.count = 1 + u64::from(is_pair);
        }
        (self.front, self.back, self.longest) = (common.0 as u64, common.1 as u64, common.2 as u64);
    }

    /// Checks that a text can go on from it.
    pub(super) fn validate(&self) -> Result<(), Corrupt> {
        Corrupt::unless(self.words.len() <= MOST_WORDS + 1 && self.last.len() <= MOST_WORDS)?;
        Corrupt::unless(self.shown.len() <= SHOWN_UNITS)?;
        self.phrases.validate()?;
        self.known.validate()?;
        let counts = [
            self.unspaced, self.begin, self.first, self.count, self.front, self.back, self.longest,
        ];
        Corrupt::unless(counts.into_iter().all(|count| count <= MAX_COUNT))
    }
}
