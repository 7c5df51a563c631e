//! **Finds** a passage of text that repeats without a break, and sentences that differ in one place.
//! **Must not find** code, tables, dividers, or what the user asked for.
//! **The numbers**: 20 copies are those of the agent that this library grew from; 3 long copies and 5
//! sentences are more than healthy sessions write.
//!
//! [`lines`] decides what of the text is compared, [`periods`] finds what repeats in it, [`slots`] finds
//! the sentences. Prose and reasoning have one [`Passages`] each. The verdict depends on the text alone,
//! never on how it was cut into deltas, and memory does not grow with it.

mod code;
mod limits;
mod lines;
mod offsets;
mod periods;
mod phrases;
mod slots;

use serde::{Deserialize, Serialize};

use self::code::CodePieces;
use self::limits::{FEW_UNITS, Limits, NUDGE_UNITS, Worth, worth};
use self::lines::{LIST_NUMBER, MarkdownNormalizer};
use self::periods::{Periods, Repeat};
use self::slots::{RoundOfText, SentenceRun, Slots};
use super::{
    Action, Context, Detection, Event, EventRule, LoopInfo, MAX_COUNT, Restart, RuleInfo, Tally,
    count_of,
};
use crate::options::LoopDetectorOptions;
use crate::report::{Channel, EVIDENCE_UNITS, LoopType, RuleName};
use crate::texts::Texts;
use turnkeeper_base::snapshot::{Corrupt, SavedState};
use turnkeeper_base::text::{contains_rotation, excerpt_units};

/// The texts about prose that repeats.
pub(super) const TEXTS: Texts = Texts {
    message: "the model wrote the same passage {count} times.",
    feedback: "You wrote the same passage {count} times without a break. Do not write it again. \
               Go on with the next point in new words, call the tool that you announced, or \
               finish your answer.",
};

const REASONING_TEXTS: Texts = Texts {
    message: "the model's thinking repeated the same passage {count} times.",
    feedback: "Your thinking repeated the same passage {count} times without a break. Do not \
               think that passage again. Decide on the next concrete step with what you know, \
               and take it, or tell the user what keeps you from it.",
};

const REPEATED_PASSAGES: LoopInfo = LoopInfo {
    rule: RuleInfo {
        name: RuleName::RepeatedPassages,
        options: &["repeatedPassages", "longPassages"],
    },
    loop_type: LoopType::ChantingIdenticalSentences,
    texts: TEXTS,
};
const REPEATED_THINKING: LoopInfo = LoopInfo {
    texts: REASONING_TEXTS,
    ..REPEATED_PASSAGES
};
const REPEATED_CODE: LoopInfo = LoopInfo {
    texts: Texts {
        message: "the model wrote the same code {count} times.",
        feedback: "You wrote the same code {count} times. Do not write it again. Keep one copy, and go \
                   on with the next point, call the tool that you announced, or finish your answer.",
    },
    ..REPEATED_PASSAGES
};
const REPEATED_PHRASES: LoopInfo = LoopInfo {
    texts: Texts {
        message: "the model's text goes round: {count} phrases were written before, again and again.",
        feedback: "Your text goes round: {count} phrases of it were written before, again and again. \
                   Decide with what you know, take the next concrete step, or finish your answer.",
    },
    ..REPEATED_PASSAGES
};
const REPEATED_SENTENCE: LoopInfo = LoopInfo {
    texts: Texts {
        message: "the model wrote the same sentence {count} times, with little in between.",
        feedback: "You wrote the same sentence {count} times, with little in between. Do not write it \
                   again. Take the next concrete step, or finish your answer.",
    },
    ..REPEATED_PASSAGES
};
const CHANGING_SLOTS: LoopInfo = LoopInfo {
    rule: RuleInfo {
        name: RuleName::ChangingSlots,
        options: &["changingSlots"],
    },
    loop_type: LoopType::ChantingIdenticalSentences,
    texts: Texts {
        message: "{count} sentences in a row differ in one place only.",
        feedback: "You wrote {count} sentences in a row that differ in one place only. Do the first \
                   thing that you announced, or finish your answer.",
    },
};
/// They may not differ at all.
const EQUAL_SENTENCES: LoopInfo = LoopInfo {
    texts: Texts {
        message: "the same sentence came {count} times in a row.",
        feedback: "You wrote the same sentence {count} times in a row. Do what it announces, or \
                   finish your answer.",
    },
    ..CHANGING_SLOTS
};

/// A passage that the user's prompt holds is what the user asked for, if it is at least this long:
/// a shorter one may be there by chance.
const ASKED_UNITS: usize = 12;
/// The same for passages in unspaced scripts, where a character is a syllable or a word.
const ASKED_UNITS_UNSPACED: usize = 6;

/// Watches the prose and the reasoning of a prompt.
#[derive(Debug, Clone)]
pub(crate) struct RepeatedPassages {
    limits: Limits,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct State {
    text: Passages,
    reasoning: Passages,
}

impl SavedState for State {
    fn validate(&self) -> Result<(), Corrupt> {
        self.text.validate()?;
        self.reasoning.validate()
    }
}

impl EventRule for RepeatedPassages {
    type State = State;
    const LOOPS: &'static [LoopInfo] = &[REPEATED_PASSAGES, CHANGING_SLOTS];

    fn from_options(options: &LoopDetectorOptions) -> Option<Self> {
        let copies = count_of(options.repeated_passages);
        let nudge = count_of(options.long_passages);
        let slots = count_of(options.changing_slots);
        copies.or(nudge).or(slots)?;
        Some(Self {
            limits: Limits {
                copies: copies.unwrap_or(Limits::NEVER),
                units: FEW_UNITS,
                nudge: nudge.unwrap_or(0),
                nudge_units: NUDGE_UNITS,
                slots: slots.unwrap_or(0),
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
                passages.observe(*channel, delta, self.limits, context)
            }
            Event::Call(_) => {
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
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Passages {
    /// UTF-16 code units of this prompt's text so far; a tool call does not restart it.
    offset: u64,
    lines: MarkdownNormalizer,
    periods: Periods,
    slots: Slots,
    code: CodePieces,
}

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

    /// Reads a delta, up to the unit at which a passage has
    /// repeated often enough to stop.
    fn observe(
        &mut self,
        channel: Channel,
        delta: &[u16],
        limits: Limits,
        context: &Context,
    ) -> Option<Detection> {
        let user_prompt = context.user_prompt;
        let pardon = |passage: &[u16]| asked(passage, user_prompt);
        let mut nudge = None;
        let mut coming = delta;
        // Of what comes, this much is known to be plain: a repeat interrupts it at every unit, and the
        // end of the line is looked for once.
        let mut known_plain = 0;
        let reads_sentences = limits.slots > 0 || limits.nudge > 0;
        while let Some((&unit, rest)) = coming.split_first() {
            let Self {
                lines,
                periods,
                offset,
                slots,
                code,
            } = self;
            let mut found = None;
            let plain = match known_plain {
                0 => lines.plain(coming),
                known => coming.get(..known).unwrap_or(coming),
            };
            if plain.is_empty() {
                lines.push(unit, *offset, &mut |unit, at| {
                    found = found.or(periods.push(unit, at, limits, pardon));
                    if reads_sentences {
                        slots.push(unit, at, limits.slots);
                    }
                });
                let repeat = match limits.nudge > 0 && lines.is_in_code() {
                    true => code.push(unit, *offset),
                    false => None,
                };
                *offset += 1;
                coming = rest;
                if let Some(repeat) = repeat {
                    let found = self.repeated_code(repeat, channel);
                    if found.is_stop() {
                        return Some(found);
                    }
                    nudge = nudge.or(Some(found));
                }
            } else {
                let (taken, repeat) = periods.push_all(plain, *offset, limits, pardon);
                found = repeat;
                known_plain = plain.len() - taken;
                let (taken, rest) = coming.split_at_checked(taken).unwrap_or((coming, &[]));
                lines.pass(taken);
                if reads_sentences {
                    slots.push_all(taken, *offset, limits.slots);
                }
                *offset += taken.len() as u64;
                coming = rest;
            }
            if found.is_none() && !self.slots.has_found() {
                continue;
            }
            let repeat = found.map(|repeat| self.repeated(repeat, channel));
            let round = self.slots.round.take().filter(|_| limits.nudge > 0);
            let round = round.and_then(|found| round_of(found, channel, user_prompt));
            // Of two stops the one that comes first in the text is told, wherever the text was cut.
            let repeats_at = repeat.as_ref().filter(|repeat| repeat.is_stop());
            let repeats_at = repeats_at.map_or(u64::MAX, |repeat| repeat.report.last_index);
            let is_first =
                |round: &Detection| round.is_stop() && round.report.last_index < repeats_at;
            if round.as_ref().is_some_and(is_first) {
                // Text after it does not count.
                let last = round.as_ref().map_or(0, |round| round.report.last_index);
                self.offset = last + 1;
                self.restart();
                return round;
            }
            let runs = std::mem::take(&mut self.slots.found);
            let runs = runs
                .into_iter()
                .filter_map(|run| sentences(run, channel, limits.slots, user_prompt));
            // Of nudges, too, the first in the text is told.
            let mut first: Option<Detection> = None;
            for detection in repeat.into_iter().chain(round).chain(runs) {
                if detection.is_stop() {
                    return Some(detection);
                }
                let last = detection.report.last_index;
                if first
                    .as_ref()
                    .is_none_or(|first| last < first.report.last_index)
                {
                    first = Some(detection);
                }
            }
            nudge = nudge.or(first);
        }
        nudge
    }

    /// A passage that repeats.
    fn repeated(&self, repeat: Repeat, channel: Channel) -> Detection {
        let passage = self.periods.last(repeat.period as usize);
        // Folded code and rows are shown as an ellipsis, and a list's number as 1.
        let mut shown = passage.to_vec();
        for unit in &mut shown {
            match *unit {
                LIST_NUMBER => *unit = u16::from(b'1'),
                0xe000..=0xf8fe => *unit = 0x2026,
                _ => {}
            }
        }
        let info = match channel {
            Channel::Text => &REPEATED_PASSAGES,
            Channel::Reasoning => &REPEATED_THINKING,
        };
        let found = info.found(
            Action::of(!repeat.is_nudge),
            Tally {
                count: repeat.copies,
                threshold: repeat.threshold,
                first_index: repeat.offset,
                last_index: self.offset - 1,
            },
        );
        let evidence = excerpt_units(&shown, EVIDENCE_UNITS);
        found.in_rounds_of(repeat.period).in_text(channel, evidence)
    }

    /// Code that repeats.
    fn repeated_code(&self, repeat: Repeat, channel: Channel) -> Detection {
        let found = REPEATED_CODE.found(
            Action::of(!repeat.is_nudge),
            Tally {
                count: repeat.copies,
                threshold: repeat.threshold,
                first_index: repeat.offset,
                last_index: self.offset - 1,
            },
        );
        found.in_text(channel, excerpt_units(self.code.shown(), EVIDENCE_UNITS))
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

/// True if the user's prompt holds the passage, wherever the passage is thought to begin.
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
    // White space is left out on both sides: a prompt is often wrapped differently from the answer.
    contains_rotation(&without_blanks(user_prompt), &words)
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

/// A text that goes round, unless the user asked for the sentence that it was found with.
fn round_of(found: RoundOfText, channel: Channel, user_prompt: &[u16]) -> Option<Detection> {
    let RoundOfText { round, shown } = found;
    if asked(&shown, user_prompt) {
        return None;
    }
    let info = match round.is_sentence {
        true => &REPEATED_SENTENCE,
        false => &REPEATED_PHRASES,
    };
    let found = info.found(
        Action::of(round.is_stop),
        Tally {
            count: round.count,
            threshold: round.threshold,
            first_index: round.first,
            last_index: round.last,
        },
    );
    Some(found.in_text(channel, excerpt_units(&shown, EVIDENCE_UNITS)))
}

/// Sentences in a row that differ in one place or not at all, unless the user asked for them.
fn sentences(
    run: SentenceRun,
    channel: Channel,
    limit: u64,
    user_prompt: &[u16],
) -> Option<Detection> {
    if asked(&run.shown, user_prompt) {
        return None;
    }
    let info = match run.are_equal {
        true => &EQUAL_SENTENCES,
        false => &CHANGING_SLOTS,
    };
    let found = info.found(
        Action::Nudge,
        Tally {
            count: limit,
            threshold: limit,
            first_index: run.first,
            last_index: run.last,
        },
    );
    Some(found.in_text(channel, excerpt_units(&run.shown, EVIDENCE_UNITS)))
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
        let context = Context {
            asked_repeats: 0,
            user_prompt: &[],
            progress: &crate::progress::Progress::default(),
        };
        let limits = Limits {
            copies: 20,
            units: FEW_UNITS,
            nudge: 3,
            nudge_units: NUDGE_UNITS,
            slots: 5,
        };
        let found = |text: &[u16], length: usize| {
            let mut passages = Passages::default();
            let mut last = None;
            for delta in text.chunks(length) {
                let found = passages.observe(Channel::Text, delta, limits, &context);
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
