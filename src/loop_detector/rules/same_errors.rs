//! **Finds** the same error of the same tool again and again, whatever was tried, as goose does.
//! **Must not find** errors with a success in between, of any tool.
//! **The numbers** are goose's: 3, in the first 100 characters; then the count starts again.

use serde::{Deserialize, Serialize};

use super::{
    CallSummary, Context, Detection, Event, MAX_COUNT, Needs, Restart, ResultSeen, Rule, RuleInfo,
    count_of,
};
use crate::loop_detector::call::Units;
use crate::loop_detector::options::LoopDetectorOptions;
use crate::loop_detector::report::{EVIDENCE_UNITS, LoopReport, LoopType, RuleName};
use crate::loop_detector::texts::Texts;
use crate::snapshot::{self, Corrupt, SavedState};
use crate::text::excerpt_units;
use crate::text::hash::UnitHash;

const TEXTS: Texts = Texts {
    message: "{tool} failed {count} times in a row with the same error.",
    feedback: "{tool} failed {count} times in a row with the same error, whatever you tried. Read the \
               error, change what causes it, use another tool, or ask the user.",
};

/// How much of an error is compared.
const CHARACTERS: usize = 100;

#[derive(Debug, Clone)]
pub(crate) struct SameErrors {
    threshold: u64,
    state: State,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct State {
    /// By [`Call::tool_fingerprint`](crate::loop_detector::call::Call::tool_fingerprint); of no use
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
    fn result(&mut self, seen: &ResultSeen) -> Option<Detection> {
        let state = &mut self.state;
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
        let mut report = LoopReport::new(LoopType::RepeatedError, RuleName::SameErrors);
        report.count = state.count;
        report.threshold = self.threshold;
        report.first_index = state.first_index.min(state.last_index);
        report.last_index = state.last_index;
        if let Some(call) = &state.last_call {
            call.fill(&mut report);
        }
        report.evidence = excerpt_units(&output.first(EVIDENCE_UNITS + 1), EVIDENCE_UNITS);
        state.count = 0;
        Some(Detection::stop(report, TEXTS))
    }
}

impl Rule for SameErrors {
    fn info() -> &'static [RuleInfo] {
        &[RuleInfo {
            name: RuleName::SameErrors,
            options: &["sameErrors"],
            finds: "results in a row that are the same error of the same tool",
        }]
    }

    fn from_options(options: &LoopDetectorOptions) -> Option<Self> {
        Some(Self {
            threshold: count_of(options.same_errors)?,
            state: State::default(),
        })
    }

    fn needs(&self) -> Needs {
        Needs {
            results: true,
            ..Needs::default()
        }
    }

    fn observe(&mut self, event: &Event, _: &Context) -> Option<Detection> {
        match event {
            Event::Call(seen) => {
                let state = &mut self.state;
                state.last_index = seen.index;
                let fails = state.has_error && state.tool == seen.call.tool_fingerprint();
                let may_be_last = fails || self.threshold == 1;
                state.last_call = may_be_last.then(|| CallSummary::of(seen.call));
                None
            }
            Event::Result(seen) => self.result(seen),
            _ => None,
        }
    }

    fn restart(&mut self, _: Restart) {
        self.state = State::default();
    }

    fn save(&self) -> Vec<u8> {
        snapshot::encode(&self.state)
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), Corrupt> {
        self.state = snapshot::decode(saved)?;
        Ok(())
    }
}
