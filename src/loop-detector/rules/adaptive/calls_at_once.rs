//! Finds: 8 identical calls in one message, or 8 that only print, or 32 of any kind; a stop at 14; never. Others may
//! stand in between.
//! In Chinese: 一条消息里有 8 次相同的调用，或 8 次只打印文字的调用，或 32 次任何调用；停止：14 次；从不。
//! Must not find: a batch of different calls; calls of several requests, which other rules judge.
//! The number: 8; no healthy session of 2,522 has more than 2. Of different calls healthy messages have up to 24, and
//! those of loops 44 to 127.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::features::CallFeatures;
use super::finding::Finding;
use super::run::Limit;
use super::step_rule::{StepRule, StepRuleInfo};
use crate::copies::clone_by_fields;
use crate::report::LoopType;

use turnkeeper_base::newest;

#[derive(Default, Serialize, Deserialize)]
pub(super) struct CallsAtOnce {
    /// The request whose calls are counted.
    request: u64,
    /// From the one that was made first to the one that was made last.
    calls: VecDeque<Counted>,
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
        let exact = call.exact.filter(|_| !call.only_prints);
        let Some(key) = exact.or(call.only_prints.then_some(PRINTING)) else {
            return too_many;
        };
        let known = newest::take(&mut self.calls, |other| other.call == key);
        let mut counted = known.unwrap_or(Counted {
            call: key,
            first_index: call.index,
            count: 0,
        });
        counted.count = counted.count.saturating_add(1);
        newest::push(&mut self.calls, counted, MOST_CALLS);
        let found = Limit::of_different(limit).at(counted.count, counted.first_index);
        found.or(too_many)
    }
}
