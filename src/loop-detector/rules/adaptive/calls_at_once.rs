//! Finds: 8 identical calls in one message, or 8 that only print; a stop at 14. Others may stand in between.
//! In Chinese: 一条消息里有 8 次相同的调用，或 8 次只打印文字的调用；停止：14 次。
//! Must not find: a batch of different calls; calls of several requests, which other rules judge.
//! The number: 8; no healthy session of 2,522 has more than 2.

use serde::{Deserialize, Serialize};

use super::features::CallFeatures;
use super::run::Limit;
use super::step_rule::{Finding, StepRule, StepRuleInfo};
use crate::report::LoopType;

#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct CallsAtOnce {
    /// The request whose calls are counted.
    request: u64,
    /// From the one that was made first to the one that was made last.
    calls: Vec<Counted>,
}

/// A call, where it was made first, and how often.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Counted {
    call: u64,
    first_index: u64,
    count: u64,
}

/// This many different calls of a message are counted; of more, those that were made first are given up.
const MOST_CALLS: usize = 16;
/// Whatever is printed, it is one call.
const PRINTING: u64 = 0;

pub(super) const INFO: StepRuleInfo = StepRuleInfo {
    usual: 8,
    loop_type: LoopType::ConsecutiveIdenticalToolCalls,
    message: "one message asks for the same call of {tool} {count} times.",
    feedback: "You seem to be stuck: {message} {held}Its answer will be the same. Make it once and wait for the result.",
    needs_every_result: false,
    ..StepRuleInfo::USUAL
};

impl StepRule for CallsAtOnce {
    fn going_on_from(&self, saved: Self) -> Option<Self> {
        (saved.calls.len() <= MOST_CALLS).then_some(saved)
    }

    fn at_call(&mut self, call: &CallFeatures, limit: u64) -> Option<Finding> {
        if self.request != call.request {
            self.request = call.request;
            self.calls.clear();
        }
        let key = if call.only_prints {
            PRINTING
        } else {
            call.exact?
        };
        let mut counted = Counted {
            call: key,
            first_index: call.index,
            count: 0,
        };
        if let Some(place) = self.calls.iter().position(|other| other.call == key) {
            counted = self.calls.remove(place);
        } else if self.calls.len() == MOST_CALLS {
            self.calls.remove(0);
        }
        counted.count = counted.count.saturating_add(1);
        self.calls.push(counted);
        let limit = Limit::of_different(limit);
        let is_stop = counted.count == limit.stop();
        (is_stop || counted.count == limit.nudge).then(|| Finding {
            is_stop,
            ..Finding::nudge(limit.after(is_stop), counted.count, counted.first_index)
        })
    }
}
