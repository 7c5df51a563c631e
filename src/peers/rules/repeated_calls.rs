//! **Finds** calls of one tool with the same arguments, one right after the other, as Qwen Code does.
//! **Must not find** the same call of a tool that reads what others change, as long as the results differ.
//! **The number** is Qwen Code's: 5 in a row.

use serde::{Deserialize, Serialize};

use super::stateful_reads::{StatefulTools, result_key};
use super::{
    CallSeen, Context, Detection, Event, EventRule, LoopInfo, MAX_COUNT, ResultSeen, RuleInfo,
    RunUnderWay, Tally, count_of, identical_calls,
};
use crate::report::{LoopType, RuleName};
use crate::settings::RuleSettings;
use turnkeeper_base::snapshot::{Corrupt, SavedState};

const REPEATED_CALLS: LoopInfo = LoopInfo {
    rule: RuleInfo {
        name: RuleName::RepeatedCalls,
        options: &["repeatedCalls", "statefulTools"],
    },
    loop_type: LoopType::ConsecutiveIdenticalToolCalls,
    texts: identical_calls::TEXTS,
};

#[derive(Debug, Clone)]
pub(crate) struct RepeatedCalls {
    threshold: u64,
    stateful_tools: StatefulTools,
}

/// The run of calls.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct State {
    key: u64,
    count: u64,
    first_index: u64,
    /// Results of a stateful tool within the run, and how many of the last of them are equal.
    results: u64,
    equal_results: u64,
    last_result: u64,
    /// Whether one came since the last answer of the model ended.
    is_answered: bool,
}

impl SavedState for State {
    fn validate(&self) -> Result<(), Corrupt> {
        let counts = [
            self.count,
            self.first_index,
            self.results,
            self.equal_results,
        ];
        Corrupt::unless(counts.into_iter().all(|count| count <= MAX_COUNT))
    }
}

impl RepeatedCalls {
    fn call(&self, state: &mut State, seen: &CallSeen) -> Option<Detection> {
        if state.count == 0 || state.key != seen.key {
            *state = State {
                key: seen.key,
                first_index: seen.index,
                ..State::default()
            };
        }
        state.count += 1;
        (state.count >= self.threshold).then_some(())?;
        let expected = state.count - 1;
        if self.stateful_tools.include(seen.call.tool_fingerprint())
            && state.results >= expected
            && state.equal_results < expected
        {
            // Something has changed, so this call is the first of a new run.
            *state = State {
                key: seen.key,
                count: 1,
                first_index: seen.index,
                ..State::default()
            };
            return None;
        }
        let found = REPEATED_CALLS.stop(Tally {
            count: state.count,
            threshold: self.threshold,
            first_index: state.first_index,
            last_index: seen.index,
        });
        Some(found.at(seen.call))
    }

    fn result(&self, state: &mut State, seen: &ResultSeen) {
        let Some(call) = seen.answered else { return };
        if state.count == 0 || call.key != state.key || !self.stateful_tools.include(call.tool) {
            return;
        }
        let result = result_key(seen);
        let is_equal = state.results > 0 && result == state.last_result;
        state.equal_results = if is_equal { state.equal_results + 1 } else { 1 };
        state.results += 1;
        state.last_result = result;
        state.is_answered = true;
    }
}

impl State {
    /// A run of which no result came for a whole answer of the model has none to go by.
    fn finish(&mut self) {
        if !std::mem::take(&mut self.is_answered) {
            (self.results, self.equal_results) = (0, 0);
        }
    }
}

impl EventRule for RepeatedCalls {
    type State = State;
    const READS_RESULTS: bool = true;

    fn from_options(options: &RuleSettings) -> Option<Self> {
        Some(Self {
            threshold: count_of(options.repeated_calls)?,
            stateful_tools: StatefulTools::from_options(options),
        })
    }

    fn observe(&self, state: &mut State, event: &Event, _: &Context) -> Option<Detection> {
        match event {
            Event::Call(seen) => return self.call(state, seen),
            Event::Result(seen) => self.result(state, seen),
            Event::Finished => state.finish(),
            _ => {}
        }
        None
    }

    fn under_way(&self, state: &State) -> Option<RunUnderWay> {
        Some(RunUnderWay {
            count: state.count,
            threshold: self.threshold,
        })
    }
}
