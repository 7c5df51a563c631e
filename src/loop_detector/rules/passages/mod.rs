//! The rule over text: a passage that repeats without a break.
//!
//! [`lines`] decides what of the text is compared, [`periods`] finds what repeats in it. Prose and
//! reasoning have one [`Passages`] each. The verdict depends on the text alone, never on how it
//! was cut into deltas, and memory does not grow with it.

mod fence;
mod limits;
mod lines;
mod offsets;
mod periods;

use self::limits::{Limits, Worth, worth};
use self::lines::{LIST_NUMBER, Lines};
use self::periods::{Periods, Repeat};
use super::super::verdict::{Channel, EVIDENCE_UNITS, LoopReport, LoopType};
use super::{Event, Found, Part};
use crate::snapshot::Codec;
use crate::text::excerpt_units;

/// A passage that the user's prompt holds is what the user asked for, if it is at least so long:
/// a shorter one may stand there by chance.
const ASKED_UNITS: usize = 12;
/// The same for passages in unspaced scripts, where a character is a syllable or a word.
const ASKED_UNITS_UNSPACED: usize = 6;

/// Watches the prose and the reasoning of a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PassagesOfBoth {
    copies: u64,
    text: Passages,
    reasoning: Passages,
    /// Whether a passage was one too many, for which only a call makes up.
    has_found: bool,
}

impl PassagesOfBoth {
    pub(crate) fn new(copies: u64) -> Self {
        Self {
            copies,
            text: Passages::new(Channel::Text),
            reasoning: Passages::new(Channel::Reasoning),
            has_found: false,
        }
    }
}

impl Part for PassagesOfBoth {
    fn observe(&mut self, event: &Event) -> Option<Found> {
        match event {
            Event::Text {
                channel,
                delta,
                user_prompt,
            } => {
                let passages = match channel {
                    Channel::Text => &mut self.text,
                    Channel::Reasoning => &mut self.reasoning,
                };
                let report = passages.observe(delta, self.copies, user_prompt)?;
                self.has_found = true;
                Found::stop(report)
            }
            Event::Call(_) => {
                self.restart(false);
                None
            }
            _ => None,
        }
    }

    fn restart(&mut self, is_new_prompt: bool) {
        self.has_found = false;
        for passages in [&mut self.text, &mut self.reasoning] {
            if is_new_prompt {
                *passages = Passages::new(passages.channel);
            } else {
                passages.restart();
            }
        }
    }

    fn stands(&self) -> bool {
        self.has_found
    }

    fn visit(&mut self, codec: &mut Codec) {
        self.text.visit(codec);
        self.reasoning.visit(codec);
        codec.flag(&mut self.has_found);
    }
}

/// Watches one text for repeated passages.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Passages {
    channel: Channel,
    /// UTF-16 code units of this prompt's text so far; a tool call does not restart it.
    offset: u64,
    lines: Lines,
    periods: Periods,
}

impl Passages {
    #[inline(never)]
    fn new(channel: Channel) -> Self {
        Self {
            channel,
            offset: 0,
            lines: Lines::new(),
            periods: Periods::new(),
        }
    }

    /// Forgets the text, but not how much there was of it.
    fn restart(&mut self) {
        self.lines.clear();
        self.periods.clear();
    }

    /// Reads a delta up to the unit at which a passage has repeated often enough.
    fn observe(
        &mut self,
        delta: &[u16],
        copies: u64,
        user_prompt: &[u16],
    ) -> Option<Box<LoopReport>> {
        let limits = Limits { copies };
        let Self {
            lines,
            periods,
            offset,
            ..
        } = self;
        let pardon = |passage: &[u16]| asked(passage, user_prompt);
        let mut found = None;
        let mut coming = delta;
        while found.is_none()
            && let Some((&unit, rest)) = coming.split_first()
        {
            let plain = lines.plain(coming);
            if plain.is_empty() {
                lines.push(unit, *offset, &mut |unit, at| {
                    found = found.or(periods.push(unit, at, limits, pardon));
                });
                *offset += 1;
                coming = rest;
            } else {
                let (taken, repeat) = periods.push_all(plain, *offset, limits, pardon);
                found = repeat;
                let (taken, rest) = coming.split_at_checked(taken).unwrap_or((coming, &[]));
                lines.pass(taken);
                *offset += taken.len() as u64;
                coming = rest;
            }
        }
        found.map(|repeat| self.finding(repeat))
    }

    fn finding(&self, repeat: Repeat) -> Box<LoopReport> {
        let passage = self.periods.last(repeat.period as usize);
        // What was folded away is shown as what it was.
        let mut shown = passage.to_vec();
        for unit in &mut shown {
            match *unit {
                LIST_NUMBER => *unit = u16::from(b'1'),
                0xe000..=0xf8fe => *unit = 0x2026,
                _ => {}
            }
        }
        let loop_type = LoopType::ChantingIdenticalSentences;
        let mut report = LoopReport::new(loop_type, "repeated_passages");
        report.count = repeat.copies;
        report.threshold = repeat.threshold;
        report.period = Some(repeat.period);
        report.channel = Some(self.channel);
        report.first_index = repeat.offset;
        report.last_index = self.offset - 1;
        report.evidence = excerpt_units(&shown, EVIDENCE_UNITS);
        report
    }

    fn visit(&mut self, codec: &mut Codec) {
        codec.count(&mut self.offset);
        self.lines.visit(codec, self.offset);
        self.periods.visit(codec);
        codec.check(self.periods.length() <= self.offset);
    }
}

/// Whether the user's prompt holds the passage, wherever the passage is thought to begin.
fn asked(passage: &[u16], user_prompt: &[u16]) -> bool {
    let is_unspaced = |unit: &u16| (0x2e80..=0xd7ff).contains(unit);
    let unspaced = passage.iter().filter(|unit| is_unspaced(unit)).count() * 2 > passage.len();
    let shortest = if unspaced {
        ASKED_UNITS_UNSPACED
    } else {
        ASKED_UNITS
    };
    let words = without_blanks(passage);
    if words.len() < shortest || words.len() > user_prompt.len() {
        return false;
    }
    // White space is left out on both sides: a prompt is often wrapped otherwise than the answer.
    // A rotation of the passage stands in the prompt if so many units in a row of the passage,
    // read round and round, do.
    let prompt = without_blanks(user_prompt);
    let mut rounds = words.clone();
    rounds.extend_from_slice(&words);
    (0..words.len()).any(|turn| contains(&prompt, &rounds[turn..turn + words.len()]))
}

fn without_blanks(text: &[u16]) -> Vec<u16> {
    let mut words = Vec::new();
    for unit in text {
        if worth(*unit) != Worth::Blank {
            words.push(*unit);
        }
    }
    words
}

fn contains(text: &[u16], part: &[u16]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}
