//! **Finds** the same thought again and again with no call in between, as Qwen Code does.
//! **Must not find** thoughts whose subjects or first 200 units differ.
//! **The numbers** are Qwen Code's: 3 in a row.
//!
//! Each `reasoning` event is a thought, so verdicts depend on how reasoning is cut.

use serde::{Deserialize, Serialize};

use super::{
    Context, Detection, Event, EventRule, LoopInfo, MAX_COUNT, Restart, RuleInfo, Tally, count_of,
};
use crate::report::{Channel, EVIDENCE_UNITS, LoopType, RuleName};
use crate::settings::RuleSettings;
use crate::texts::Texts;
use turnkeeper_base::snapshot::{Corrupt, SavedState};
use turnkeeper_base::text::excerpt_units;
use turnkeeper_base::text::hash::UnitHash;
use turnkeeper_base::text::white_space::{is_blank, trimmed};

const REPEATED_THOUGHTS: LoopInfo = LoopInfo {
    rule: RuleInfo {
        name: RuleName::RepeatedThoughts,
        options: &["repeatedThoughts"],
    },
    loop_type: LoopType::Monologue,
    texts: Texts {
        message: "the model had the same thought {count} times and did nothing in between.",
        feedback: "You had the same thought {count} times and did nothing in between. Act on it, ask the \
                   user, or finish.",
    },
};

/// How much of a description is compared, in UTF-16 code units.
const DESCRIPTION_UNITS: usize = 200;
/// The mark before and after a subject.
const MARK: [u16; 2] = [b'*' as u16; 2];

#[derive(Debug, Clone)]
pub(crate) struct RepeatedThoughts {
    threshold: u64,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct State {
    thought: u64,
    count: u64,
    /// Where the first of the equal thoughts begins in the prompt's reasoning.
    first_index: u64,
    /// UTF-16 code units of the prompt's reasoning so far.
    length: u64,
}

impl SavedState for State {
    fn validate(&self) -> Result<(), Corrupt> {
        let counts = [self.count, self.first_index, self.length];
        Corrupt::unless(counts.into_iter().all(|count| count <= MAX_COUNT))
    }
}

/// What a thought is compared by: its subject and the beginning of the rest, case ignored.
fn thought_key(thought: &[u16]) -> u64 {
    let find = |text: &[u16]| text.windows(2).position(|pair| pair == MARK);
    let mut subject: &[u16] = &[];
    let mut description = thought.to_vec();
    if let Some(open) = find(thought)
        && let Some(length) = find(&thought[open + 2..])
    {
        let close = open + 2 + length;
        subject = &thought[open + 2..close];
        description = [&thought[..open], &thought[close + 2..]].concat();
    }
    let mut hash = UnitHash::EMPTY;
    for unit in lower(trimmed(subject)) {
        hash.push(unit);
    }
    hash.push(u16::from(b'|'));
    for unit in lower(trimmed(&description)).take(DESCRIPTION_UNITS) {
        hash.push(unit);
    }
    hash.0
}

fn lower(text: &[u16]) -> impl Iterator<Item = u16> + '_ {
    let characters = char::decode_utf16(text.iter().copied());
    characters
        .map(|character| character.unwrap_or(char::REPLACEMENT_CHARACTER))
        .flat_map(char::to_lowercase)
        .flat_map(|character| {
            let mut units = [0; 2];
            let length = character.encode_utf16(&mut units).len();
            units.into_iter().take(length)
        })
}

impl EventRule for RepeatedThoughts {
    type State = State;
    fn from_options(options: &RuleSettings) -> Option<Self> {
        Some(Self {
            threshold: count_of(options.repeated_thoughts)?,
        })
    }

    fn observe(&self, state: &mut State, event: &Event, _: &Context) -> Option<Detection> {
        let delta = match event {
            Event::Call(_) => {
                state.count = 0;
                return None;
            }
            Event::Text {
                channel: Channel::Reasoning,
                delta,
            } => *delta,
            _ => return None,
        };
        let begin = state.length;
        state.length += delta.len() as u64;
        if is_blank(delta) {
            return None;
        }
        let thought = thought_key(delta);
        if state.count == 0 || state.thought != thought {
            (state.thought, state.count, state.first_index) = (thought, 0, begin);
        }
        state.count += 1;
        (state.count >= self.threshold).then_some(())?;
        let found = REPEATED_THOUGHTS.stop(Tally {
            count: state.count,
            threshold: self.threshold,
            first_index: state.first_index,
            last_index: state.length.saturating_sub(1),
        });
        let start = &delta[..delta.len().min(EVIDENCE_UNITS + 1)];
        Some(found.in_text(Channel::Reasoning, excerpt_units(start, EVIDENCE_UNITS)))
    }

    fn restart(state: &mut State, restart: Restart) {
        let length = match restart {
            Restart::NewPrompt => 0,
            Restart::Cleared => state.length,
        };
        *state = State {
            length,
            ..State::default()
        };
    }
}
