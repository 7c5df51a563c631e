//! The loops that are found in a text, as a report tells of them, and what the user asked for, which is none.

use super::super::{Action, Detection, LoopInfo};
use super::limits::{Worth, worth};
use super::lines::LIST_NUMBER;
use super::phrases::RoundKind;
use super::slots::RoundOfText;
use crate::report::{Channel, EVIDENCE_UNITS, LoopType, RuleName};
use crate::texts::Texts;
use turnkeeper_base::text::{contains_rotation, excerpt_units};

/// The texts about prose that repeats.
pub const TEXTS: Texts = Texts {
    message: "the model wrote the same passage {count} times{answer}.",
    feedback: "You wrote the same passage {count} times without a break{answer}. Do not write it again. \
               Go on with the next point in new words, call the tool that you announced, or \
               finish your answer.",
};

const REASONING_TEXTS: Texts = Texts {
    message: "the model's thinking repeated the same passage {count} times{answer}.",
    feedback: "Your thinking repeated the same passage {count} times without a break{answer}. Do not \
               think that passage again. Decide on the next concrete step with what you know, \
               and take it, or tell the user what keeps you from it.",
};

pub(super) const REPEATED_PASSAGES: LoopInfo = LoopInfo {
    name: RuleName::RepeatedPassages,
    options: &["repeatedPassages", "longPassages"],
    loop_type: LoopType::ChantingIdenticalSentences,
    texts: TEXTS,
};
pub(super) const REPEATED_THINKING: LoopInfo = LoopInfo {
    texts: REASONING_TEXTS,
    ..REPEATED_PASSAGES
};
pub(super) const REPEATED_CODE: LoopInfo = LoopInfo {
    texts: Texts {
        message: "the model wrote the same code {count} times{answer}.",
        feedback: "You wrote the same code {count} times{answer}. Do not write it again. Keep one copy, and go \
                   on with the next point, call the tool that you announced, or finish your answer.",
    },
    ..REPEATED_PASSAGES
};
const REPEATED_PHRASES: LoopInfo = LoopInfo {
    texts: Texts {
        message: "the model's text goes round: {count} phrases were written before, again and again{answer}.",
        feedback: "Your text goes round: {count} phrases of it were written before, again and again{answer}. \
                   Decide with what you know, take the next concrete step, or finish your answer.",
    },
    ..REPEATED_PASSAGES
};
const KNOWN_THINKING: LoopInfo = LoopInfo {
    texts: Texts {
        message: "the model's thinking goes round: of its last phrases nine tenths had come in it before{answer}.",
        feedback: "Your thinking goes round: nearly all of it had come before{answer}. Decide with what you know, and take the \
                   next concrete step, or tell the user what keeps you from it.",
    },
    ..REPEATED_PASSAGES
};
const REPEATED_SENTENCE: LoopInfo = LoopInfo {
    texts: Texts {
        message: "the model wrote the same sentence {count} times{answer}, with little in between.",
        feedback: "You wrote the same sentence {count} times{answer}, with little in between. Do not write it \
                   again. Take the next concrete step, or finish your answer.",
    },
    ..REPEATED_PASSAGES
};
/// Sentences that differ in one place only.
const ALIKE_SENTENCES: LoopInfo = LoopInfo {
    texts: Texts {
        message: "{count} sentences in a row differ in one place only{answer}.",
        feedback: "You wrote {count} sentences in a row that differ in one place only{answer}. Do the first \
                   thing that you announced, or finish your answer.",
    },
    ..REPEATED_PASSAGES
};
/// They may not differ at all.
const EQUAL_SENTENCES: LoopInfo = LoopInfo {
    texts: Texts {
        message: "the same sentence came {count} times in a row{answer}.",
        feedback: "You wrote the same sentence {count} times in a row{answer}. Do what it announces, or \
                   finish your answer.",
    },
    ..REPEATED_PASSAGES
};

/// A passage that the user's prompt holds is what the user asked for, if it is at least this long:
/// a shorter one may be there by chance.
const ASKED_UNITS: usize = 12;
/// The same for passages in unspaced scripts, where a character is a syllable or a word.
const ASKED_UNITS_UNSPACED: usize = 6;

/// A passage as it is shown: folded code and rows as an ellipsis, and a list's number as 1.
pub(super) fn shown(passage: &[u16]) -> Vec<u16> {
    let shown = |unit: &u16| match *unit {
        LIST_NUMBER => u16::from(b'1'),
        0xe000..=0xf8fe => 0x2026,
        unit => unit,
    };
    passage.iter().map(shown).collect()
}

/// Whether the user's prompt holds the passage, wherever the passage is thought to begin.
pub(super) fn asked(passage: &[u16], user_prompt: &[u16]) -> bool {
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
    let words = text.iter().copied();
    words.filter(|unit| worth(*unit) != Worth::Blank).collect()
}

/// A text that goes round, unless the user asked for the sentence that it was found with.
pub(super) fn round_of(
    found: RoundOfText,
    channel: Channel,
    user_prompt: &[u16],
) -> Option<Detection> {
    let RoundOfText { round, shown } = found;
    if asked(&shown, user_prompt) {
        return None;
    }
    let info = match round.kind {
        RoundKind::Sentence => &REPEATED_SENTENCE,
        RoundKind::Phrases => &REPEATED_PHRASES,
        RoundKind::Thinking => &KNOWN_THINKING,
        RoundKind::AlikeSentences => &ALIKE_SENTENCES,
        RoundKind::EqualSentences => &EQUAL_SENTENCES,
    };
    let found = info.found(Action::of(round.is_stop), round.tally);
    Some(found.in_text(channel, excerpt_units(&shown, EVIDENCE_UNITS)))
}
