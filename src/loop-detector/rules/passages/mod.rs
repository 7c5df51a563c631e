//! **Finds** a passage of text that repeats without a break, and sentences that differ in one place.
//! **Must not find** code, tables, dividers, or what the user asked for.
//! **The numbers**: 20 copies are those of the agent that this library grew from; 3 long copies and 5
//! sentences are more than healthy sessions write.
//!
//! [`lines`] decides what of the text is compared, [`periods`] finds what repeats in it, [`slots`] finds
//! the sentences. Prose and reasoning have one [`Passages`] each. The verdict depends on the text alone,
//! never on how it was cut into deltas, and memory does not grow with it.

mod code;
mod found;
mod known;
mod limits;
mod lines;
mod offsets;
mod periods;
mod phrases;
mod slots;

use crate::counts::{MAX_COUNT, count_of};
use serde::{Deserialize, Serialize};

use self::code::CodePieces;
pub use self::found::TEXTS;
use self::found::{REPEATED_CODE, REPEATED_PASSAGES, REPEATED_THINKING, asked, round_of, shown};
use self::limits::{FEW_UNITS, Limits, NUDGE_UNITS};
use self::lines::MarkdownNormalizer;
use self::periods::{Periods, Repeat};
use self::slots::{RoundOfText, Slots};
use super::event_rule::EventRule;
use super::{Action, Context, Detection, Event, LoopInfo, Restart, Tally};
use crate::copies::clone_by_fields;
use crate::options::LoopDetectorOptions;
use crate::report::{Channel, EVIDENCE_UNITS};
use turnkeeper_base::snapshot::{Corrupt, SavedState};
use turnkeeper_base::text::excerpt_units;

/// Watches the prose and the reasoning of a prompt.
#[derive(Debug)]
pub(crate) struct RepeatedPassages {
    limits: Limits,
}

#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct State {
    text: Passages,
    reasoning: Passages,
}

clone_by_fields! { State: text, reasoning }

impl SavedState for State {
    fn validate(&self) -> Result<(), Corrupt> {
        self.text.validate()?;
        self.reasoning.validate()
    }
}

impl EventRule for RepeatedPassages {
    type State = State;
    const LOOPS: &'static [LoopInfo] = &[REPEATED_PASSAGES];

    fn from_options(options: &LoopDetectorOptions) -> Option<Self> {
        let copies = count_of(options.repeated_passages);
        let nudge = count_of(options.long_passages);
        copies.or(nudge)?;
        Some(Self {
            limits: Limits {
                copies: copies.unwrap_or(Limits::NEVER),
                units: FEW_UNITS,
                nudge: nudge.unwrap_or(0),
                nudge_units: NUDGE_UNITS,
            },
        })
    }

    fn observe(&self, state: &mut State, event: &Event, context: &Context) -> Option<Detection> {
        match event {
            Event::Text { channel, delta } => {
                let passages = match channel {
                    Channel::Text => &mut state.text,
                    Channel::Reasoning => &mut state.reasoning,
                };
                passages.observe(*channel, delta, self.limits, context.user_prompt)
            }
            Event::Call(_) | Event::UncountedCall { .. } => {
                Self::restart(state, Restart::Cleared);
                None
            }
            // Sentences alike that the user answers one by one are a conversation.
            Event::UserMessage => {
                state.text.slots = Slots::default();
                None
            }
            _ => None,
        }
    }

    fn restart(state: &mut State, restart: Restart) {
        for passages in [&mut state.text, &mut state.reasoning] {
            match restart {
                Restart::NewPrompt => *passages = Passages::default(),
                Restart::Cleared => passages.restart(),
            }
        }
    }
}

/// Watches one text for repeated passages.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Passages {
    /// UTF-16 code units of this prompt's text so far; a tool call does not restart it.
    offset: u64,
    lines: MarkdownNormalizer,
    periods: Periods,
    slots: Slots,
    code: CodePieces,
}

clone_by_fields! { Passages: offset, lines, periods, slots, code }

impl Passages {
    /// Forgets the text, but not how much there was of it.
    fn restart(&mut self) {
        if self.offset == 0 {
            return;
        }
        self.lines.clear();
        self.periods.clear();
        self.slots = Slots::default();
        self.code = CodePieces::default();
    }

    /// Reads a delta, up to the unit at which a passage has repeated often enough to stop.
    fn observe(
        &mut self,
        channel: Channel,
        delta: &[u16],
        limits: Limits,
        user_prompt: &[u16],
    ) -> Option<Detection> {
        self.slots.is_thinking = channel == Channel::Reasoning;
        let mut nudge = None;
        let mut coming = delta;
        // Of what comes, this much is known to be plain: a repeat interrupts it at every unit, and the
        // end of the line is looked for once.
        let mut known_plain = 0;
        while let Some(&unit) = coming.first() {
            let plain = match known_plain {
                0 => self.lines.plain(coming),
                known => coming.get(..known).unwrap_or(coming),
            };
            let was_told = self.periods.was_nudged();
            let (taken, repeat) = match plain {
                [] => (1, self.read_unit(unit, limits, user_prompt)),
                plain => self.read_plain(plain, limits, user_prompt),
            };
            known_plain = plain.len().saturating_sub(taken);
            coming = coming.get(taken..).unwrap_or_default();
            let is_code = limits.nudge > 0 && plain.is_empty() && self.lines.is_in_code();
            if is_code && let Some(repeat) = self.code.push(unit, self.offset - 1) {
                let found = self.repeated_code(repeat, channel);
                if found.is_stop() {
                    return Some(found);
                }
                nudge = nudge.or(Some(found));
            }
            if repeat.is_none() && !self.slots.has_found() {
                continue;
            }
            let found = self.first_found(repeat, was_told, channel, user_prompt);
            if found.as_ref().is_some_and(Detection::is_stop) {
                return found;
            }
            nudge = nudge.or(found);
        }
        nudge
    }

    /// Reads a unit that may be more than text.
    fn read_unit(&mut self, unit: u16, limits: Limits, user_prompt: &[u16]) -> Option<Repeat> {
        let mut found = None;
        let Self { periods, slots, .. } = self;
        self.lines.push(unit, self.offset, &mut |unit, at| {
            let pardon = |passage: &[u16]| asked(passage, user_prompt);
            found = found.or(periods.push(unit, at, limits, pardon));
            if limits.nudge > 0 {
                slots.push(unit, at);
            }
        });
        self.offset += 1;
        found
    }

    /// Reads text up to the unit at which a passage has repeated, and answers how much that was.
    fn read_plain(
        &mut self,
        plain: &[u16],
        limits: Limits,
        user_prompt: &[u16],
    ) -> (usize, Option<Repeat>) {
        let pardon = |passage: &[u16]| asked(passage, user_prompt);
        let (count, repeat) = self.periods.push_all(plain, self.offset, limits, pardon);
        let taken = plain.get(..count).unwrap_or(plain);
        self.lines.pass(taken);
        if limits.nudge > 0 {
            self.slots.push_all(taken, self.offset);
        }
        self.offset += taken.len() as u64;
        (count, repeat)
    }

    /// Of what was found with the last units a stop, and otherwise what is first in the text. `was_told` if the model had
    /// been told of a passage that went on before them.
    fn first_found(
        &mut self,
        repeat: Option<Repeat>,
        was_told: bool,
        channel: Channel,
        user_prompt: &[u16],
    ) -> Option<Detection> {
        let repeat = repeat.map(|repeat| self.repeated(repeat, channel));
        let round = self.slots.round.take();
        let is_told = |found: &RoundOfText| !found.round.is_stop && was_told;
        let told = |found| round_of(found, channel, user_prompt);
        let round = round.filter(|found| !is_told(found)).and_then(told);
        // Of two stops the one that comes first in the text is told, wherever the text was cut.
        let repeats_at = repeat.as_ref().filter(|repeat| repeat.is_stop());
        let repeats_at = repeats_at.map_or(u64::MAX, |repeat| repeat.report.last_index);
        let is_stop_before =
            |round: &&Detection| round.is_stop() && round.report.last_index < repeats_at;
        if let Some(stop) = round.as_ref().filter(is_stop_before) {
            // Text after it does not count.
            self.offset = stop.report.last_index + 1;
            self.restart();
            return round;
        }
        let runs = std::mem::take(&mut self.slots.found);
        let runs = runs.into_iter().filter_map(told);
        let found = repeat.into_iter().chain(round).chain(runs);
        found.min_by_key(|found| (!found.is_stop(), found.report.last_index))
    }

    /// A passage that repeats.
    fn repeated(&self, repeat: Repeat, channel: Channel) -> Detection {
        let info = match channel {
            Channel::Text => &REPEATED_PASSAGES,
            Channel::Reasoning => &REPEATED_THINKING,
        };
        let shown = shown(self.periods.last(repeat.period as usize));
        let found = self.found(info, repeat).in_rounds_of(repeat.period);
        found.in_text(channel, excerpt_units(&shown, EVIDENCE_UNITS))
    }

    /// Code that repeats.
    fn repeated_code(&self, repeat: Repeat, channel: Channel) -> Detection {
        let found = self.found(&REPEATED_CODE, repeat);
        found.in_text(channel, excerpt_units(self.code.shown(), EVIDENCE_UNITS))
    }

    fn found(&self, info: &LoopInfo, repeat: Repeat) -> Detection {
        let tally = Tally {
            count: repeat.copies,
            threshold: repeat.threshold,
            first_index: repeat.offset,
            last_index: self.offset - 1,
        };
        info.found(Action::of(!repeat.is_nudge), tally)
    }

    fn validate(&self) -> Result<(), Corrupt> {
        Corrupt::unless(self.offset <= MAX_COUNT)?;
        self.code.validate(self.offset)?;
        Corrupt::unless(self.lines.is_valid(self.offset))?;
        self.periods.validate()?;
        self.slots.validate()?;
        Corrupt::unless(self.periods.length() <= self.offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::LoopReport;

    #[test]
    fn the_user_asked_for_a_passage_wherever_it_is_thought_to_begin() {
        let asked = |passage: &str, prompt: &str| {
            let units = |text: &str| text.encode_utf16().collect::<Vec<u16>>();
            asked(&units(passage), &units(prompt))
        };
        let prompt = "Write this line, please:\n  all work\n  and no play\n";
        assert!(asked("all work and no play ", prompt));
        assert!(asked("no play all work and ", prompt));
        assert!(!asked("all work and no pay ", prompt));
        assert!(!asked("and no play", prompt), "too short");
        assert!(asked("反复写这六个字。", "请写：反复写这六个字。"));
    }

    #[test]
    fn text_that_goes_round_is_found_at_the_same_unit_however_it_is_cut() {
        let limits = Limits {
            copies: 20,
            units: FEW_UNITS,
            nudge: 3,
            nudge_units: NUDGE_UNITS,
        };
        let found = |text: &[u16], length: usize| {
            let mut passages = Passages::default();
            let mut last = None;
            for delta in text.chunks(length) {
                let found = passages.observe(Channel::Text, delta, limits, &[]);
                last = found.or(last);
                if last.as_ref().is_some_and(Detection::is_stop) {
                    break;
                }
            }
            let found = last.expect("it goes round");
            let LoopReport {
                count,
                first_index,
                last_index,
                ..
            } = *found.report;
            (found.action, count, first_index, last_index)
        };
        let ends = [
            "I am done",
            "Over",
            "Enough of that now",
            "No more from me today",
        ];
        for copies in [17, 110] {
            let text: String = (0..copies)
                .map(|copy| format!("The gate is red. {} {copy}.\n", ends[copy % 4]))
                .collect();
            let text: Vec<u16> = text.encode_utf16().collect();
            let whole = found(&text, text.len());
            let action = if copies < 100 {
                Action::Nudge
            } else {
                Action::Stop
            };
            assert_eq!(whole.0, action);
            for length in [1, 2, 7, 100] {
                assert_eq!(found(&text, length), whole, "{copies} copies by {length}");
            }
        }
    }
}
