//! **Finds** the same error of the same tool again and again, whatever was tried, as goose does.
//! **Must not find** errors with a success in between, of any tool.
//! **The numbers** are goose's: 3, in the first 100 characters; then the count starts again.

use serde::{Deserialize, Serialize};

use super::{
    CallSummary, Context, Detection, Event, EventRule, LoopInfo, MAX_COUNT, ResultSeen, RuleInfo,
    Tally, count_of,
};
use crate::call::Units;
use crate::report::{EVIDENCE_UNITS, LoopType, RuleName};
use crate::settings::RuleSettings;
use crate::texts::Texts;
use turnkeeper_base::snapshot::{Corrupt, SavedState};
use turnkeeper_base::text::excerpt_units;
use turnkeeper_base::text::hash::UnitHash;

const SAME_ERRORS: LoopInfo = LoopInfo {
    rule: RuleInfo {
        name: RuleName::SameErrors,
        options: &["sameErrors"],
    },
    loop_type: LoopType::RepeatedError,
    texts: Texts {
        message: "{tool} failed {count} times in a row with the same error.",
        feedback: "{tool} failed {count} times in a row with the same error, whatever you tried. Read the \
                   error, change what causes it, use another tool, or ask the user.",
    },
};

/// How much of an error is compared.
const CHARACTERS: usize = 100;

#[derive(Debug, Clone)]
pub(crate) struct SameErrors {
    threshold: u64,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct State {
    /// By [`Call::tool_fingerprint`](crate::call::Call::tool_fingerprint); of no use
    /// while there is no error.
    tool: u64,
    error: u64,
    has_error: bool,
    count: u64,
    first_index: u64,
    last_index: u64,
    /// The last call, if it is of the tool that fails, and its tool.
    last_call: Option<CallSummary>,
}

impl SavedState for State {
    fn validate(&self) -> Result<(), Corrupt> {
        let counts = [self.count, self.first_index, self.last_index];
        Corrupt::unless(counts.into_iter().all(|count| count <= MAX_COUNT))
    }
}

/// Equal for outputs with the same first characters. The two units of a surrogate pair are one.
fn start_key(output: Units) -> u64 {
    let mut hash = UnitHash::EMPTY;
    let mut characters = 0;
    for at in 0..output.len() {
        let unit = output.at(at);
        let is_second_half = (0xdc00..0xe000).contains(&unit)
            && at > 0
            && (0xd800..0xdc00).contains(&output.at(at - 1));
        characters += usize::from(!is_second_half);
        if characters > CHARACTERS {
            break;
        }
        hash.push(unit);
    }
    hash.0
}

impl SameErrors {
    fn result(&self, state: &mut State, seen: &ResultSeen) -> Option<Detection> {
        if !seen.is_error {
            (state.has_error, state.count, state.last_call) = (false, 0, None);
            return None;
        }
        let output = seen.output.units();
        let error = start_key(output);
        let (tool, index) = match seen.answered {
            Some(call) => (call.tool, call.index),
            None => (0, state.last_index),
        };
        if !state.has_error || state.tool != tool || state.error != error {
            (state.tool, state.error, state.has_error, state.count) = (tool, error, true, 0);
        }
        if state.count == 0 {
            state.first_index = index;
        }
        state.count += 1;
        if state.count < self.threshold {
            return None;
        }
        let found = SAME_ERRORS.stop(Tally {
            count: state.count,
            threshold: self.threshold,
            first_index: state.first_index.min(state.last_index),
            last_index: state.last_index,
        });
        state.count = 0;
        let start = output.first(EVIDENCE_UNITS + 1);
        let found = found.at_summarized(state.last_call.as_ref());
        Some(found.showing(excerpt_units(&start, EVIDENCE_UNITS)))
    }
}

impl EventRule for SameErrors {
    type State = State;
    const READS_RESULTS: bool = true;

    fn from_options(options: &RuleSettings) -> Option<Self> {
        Some(Self {
            threshold: count_of(options.same_errors)?,
        })
    }

    fn observe(&self, state: &mut State, event: &Event, _: &Context) -> Option<Detection> {
        match event {
            Event::Call(seen) => {
                state.last_index = seen.index;
                let fails = state.has_error && state.tool == seen.call.tool_fingerprint();
                let may_be_last = fails || self.threshold == 1;
                state.last_call = may_be_last.then(|| CallSummary::of(seen.call));
                None
            }
            Event::Result(seen) => self.result(state, seen),
            _ => None,
        }
    }
}
