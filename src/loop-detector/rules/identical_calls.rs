//! **Finds** calls of one tool with the same arguments, one right after the other.
//! **Must not find** a run that another call interrupts; what is said in between does not matter.
//! **The number** is that of the agent that this library grew from: 10 in a row.

use crate::counts::{MAX_COUNT, count_of};
use serde::{Deserialize, Serialize};

use super::event_rule::EventRule;
use super::{Context, Detection, Event, LoopInfo, RunUnderWay, Tally};
use crate::options::LoopDetectorOptions;
use crate::report::{LoopType, RuleName};
use crate::texts::Texts;
use turnkeeper_base::snapshot::{Corrupt, SavedState};

/// The texts about identical calls in a row.
pub const TEXTS: Texts = Texts {
    message: "the model called {call} {count} times in a row with the same arguments.",
    feedback: "You called {call} {count} times in a row with exactly the same arguments, so the \
               answer will not change. {held}Do not repeat it. Use the result that you already have; \
               if it did not help, say what is missing and try another tool or other arguments, or \
               ask the user.",
};

const IDENTICAL_CALLS: LoopInfo = LoopInfo {
    name: RuleName::IdenticalCalls,
    options: &["identicalCalls"],
    loop_type: LoopType::ConsecutiveIdenticalToolCalls,
    texts: TEXTS,
};

#[derive(Debug)]
pub(crate) struct IdenticalCalls {
    threshold: u64,
}

/// The run under way.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct State {
    /// The hash by which its calls are compared.
    key: u64,
    /// 0 before the first call.
    count: u64,
    first_index: u64,
}

impl SavedState for State {
    fn validate(&self) -> Result<(), Corrupt> {
        Corrupt::unless(self.count.max(self.first_index) <= MAX_COUNT)
    }
}

impl EventRule for IdenticalCalls {
    type State = State;
    const LOOPS: &'static [LoopInfo] = &[IDENTICAL_CALLS];

    fn from_options(options: &LoopDetectorOptions) -> Option<Self> {
        let threshold = count_of(options.identical_calls)?;
        Some(Self { threshold })
    }

    fn observe(&self, state: &mut State, event: &Event, _: &Context) -> Option<Detection> {
        let Event::Call(seen) = event else {
            return None;
        };
        if state.count == 0 || state.key != seen.key {
            *state = State {
                key: seen.key,
                count: 0,
                first_index: seen.index,
            };
        }
        state.count += 1;
        (state.count >= self.threshold).then(|| {
            let found = IDENTICAL_CALLS.stop(Tally {
                count: state.count,
                threshold: self.threshold,
                first_index: state.first_index,
                last_index: seen.index,
            });
            found.at(seen.call)
        })
    }

    fn under_way(&self, state: &State) -> Option<RunUnderWay> {
        Some(RunUnderWay {
            count: state.count,
            threshold: self.threshold,
        })
    }
}
