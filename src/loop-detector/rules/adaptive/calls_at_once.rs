//! Finds: one message that asks for the same call over and over.
//! Must not find: a batch of different calls; calls of several requests, which other rules judge.
//! The number: 8; no healthy session of 2,522 has more than 2.

use serde::{Deserialize, Serialize};

use super::features::CallFeatures;
use super::run::Limit;
use super::step_rule::{self, Finding, StepRule, StepRuleInfo};
use crate::LoopDetectorOptions;
use crate::report::{LoopType, RuleName};
use crate::rules::RuleInfo;
use turnkeeper_base::snapshot::{Corrupt, SavedState};

const INFO: StepRuleInfo = StepRuleInfo {
    rule: RuleInfo {
        name: RuleName::CallsAtOnce,
        options: &["callsAtOnce"],
        finds: "identical calls in one message",
    },
    loop_type: LoopType::ConsecutiveIdenticalToolCalls,
    message: "one message asks for the same call of {tool} {count} times.",
    feedback: "You seem to be stuck: {message} {held}Its answer will be the same. Make it once and wait for the result.",
};

#[derive(Debug, Clone)]
pub(super) struct CallsAtOnce {
    limit: u64,
    state: State,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct State {
    /// The call that is counted, ...
    call: Option<u64>,
    /// the request that it is of, ...
    request: u64,
    /// where it was made first, ...
    first_index: u64,
    /// and how often it was made.
    count: u64,
}

impl SavedState for State {
    fn validate(&self) -> Result<(), Corrupt> {
        Ok(())
    }
}

impl StepRule for CallsAtOnce {
    fn from_options(options: &LoopDetectorOptions) -> Option<Self> {
        Some(Self {
            limit: options.calls_at_once?.count()?,
            state: State::default(),
        })
    }

    fn info() -> &'static StepRuleInfo {
        &INFO
    }

    fn at_call(&mut self, call: &CallFeatures) -> Option<Finding> {
        let state = &mut self.state;
        if call.exact.is_none() || state.call != call.exact || state.request != call.request {
            *state = State {
                call: call.exact,
                request: call.request,
                first_index: call.index,
                count: 0,
            };
        }
        state.count = state.count.saturating_add(1);
        let limit = Limit::of_different(self.limit);
        let is_stop = state.count == limit.stop();
        (is_stop || state.count == limit.nudge).then(|| Finding {
            is_stop,
            threshold: if is_stop { limit.stop() } else { limit.nudge },
            count: state.count,
            first_index: state.first_index,
            period: None,
            message: None,
        })
    }

    fn missing_result(&mut self) {}

    fn forget(&mut self) {
        self.state = State::default();
    }

    fn save(&self) -> Vec<u8> {
        step_rule::save(&self.state)
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), Corrupt> {
        step_rule::load(&mut self.state, saved)
    }
}
