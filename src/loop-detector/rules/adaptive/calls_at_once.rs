//! Finds: 8 identical calls in one message, or 8 that only print, or 32 of any kind; a stop at 14; never. Others may
//! stand in between.
//! In Chinese: 一条消息里有 8 次相同的调用，或 8 次只打印文字的调用，或 32 次任何调用；停止：14 次；从不。
//! Must not find: a batch of different calls; calls of several requests, which other rules judge.
//! The number: 8; no healthy session of 2,522 has more than 2. Of different calls healthy messages have up to 24, and
//! those of loops 44 to 127.

use serde::{Deserialize, Serialize};

use super::features::CallFeatures;
use super::finding::Finding;
use super::run::Limit;
use super::step_rule::{StepRule, StepRuleInfo};
use crate::copies::clone_by_fields;
use crate::report::LoopType;

#[derive(Default, Serialize, Deserialize)]
pub(super) struct CallsAtOnce {
    /// The request whose calls are counted.
    request: u64,
    /// From the one that was made first to the one that was made last.
    calls: Vec<Counted>,
    /// All calls of the request, whatever they ask for.
    all: u64,
}

clone_by_fields! { CallsAtOnce: request, calls, all }

/// A call, where it was made first, and how often.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Counted {
    call: u64,
    first_index: u64,
    count: u64,
}

/// This many different calls of a message are counted; of more, those that were made first are given up.
const MOST_CALLS: usize = 16;
/// Of different calls a message may have this many times more.
const TIMES_OF_DIFFERENT: u64 = 4;
/// Whatever is printed, it is one call.
const PRINTING: u64 = 0;

pub(super) const INFO: StepRuleInfo = StepRuleInfo {
    usual: 8,
    loop_type: LoopType::ConsecutiveIdenticalToolCalls,
    message: "one message has {count} calls of one kind, the last of {call}.",
    feedback: "You seem to be stuck: {message} {held}Make few calls at once, and wait for their results.",
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
            self.all = 0;
        }
        self.all = self.all.saturating_add(1);
        let most = limit.saturating_mul(TIMES_OF_DIFFERENT);
        let too_many = (self.all == most)
            .then(|| Finding::nudge(most, most, call.index.saturating_sub(most - 1)))
            .and_then(Finding::if_mere_hint);
        let key = if call.only_prints {
            PRINTING
        } else {
            match call.exact {
                Some(exact) => exact,
                None => return too_many,
            }
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
        let found = (is_stop || counted.count == limit.nudge).then(|| Finding {
            is_stop,
            ..Finding::nudge(limit.after(is_stop), counted.count, counted.first_index)
        });
        found.or(too_many)
    }
}
