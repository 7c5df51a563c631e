//! Calls and results so far, as far as later ones are seen together with them.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::early_steps::EarlySteps;
use super::features::{CallFeatures, Remembered, SeenLines};
use super::history::History;
use super::requests::Requests;
use crate::rules::{CallSummary, MAX_COUNT};
use turnkeeper_base::snapshot::{Corrupt, SavedState};

/// At most this many calls wait for their results; of more, the oldest are given up.
const MOST_PENDING: usize = 32;
/// This many nudges are a stop, if each is near the one before.
const MOST_NUDGES: u64 = 3;
/// A nudge within this many calls after another is near it.
const NEAR_CALLS: u64 = 40;
/// One that comes sooner is about the same calls, and counts with the other.
const SOON_CALLS: u64 = 3;
/// At most this many of them can be quoted.
const MOST_QUOTABLE: usize = 8;

/// The state that is saved beside the rules' own.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Followed {
    /// Calls without a result, from the oldest to the newest.
    pub(super) pending: VecDeque<CallFeatures>,
    /// Calls whose results came before that of an earlier call of their request, in the order of the calls.
    pub(super) early: EarlySteps,
    pub(super) history: History,
    pub(super) requests: Requests,
    pub(super) remembered: Remembered,
    pub(super) seen_lines: SeenLines,
    /// The number of steps so far.
    pub(super) steps: u64,
    /// The index after that of the last call with a result.
    pub(super) next_index: u64,
    /// The last call for which there was a nudge.
    pub(super) last_nudged_call: Option<u64>,
    /// The number of nudges that came near to each other, and the call at which the last of them was counted.
    nudges: u64,
    counted_at: u64,
    /// The last calls that may turn out to be part of a loop, each with its index: those that have no result, and the
    /// newest.
    quotable: VecDeque<(u64, CallSummary)>,
}

impl SavedState for Followed {
    fn validate(&self) -> Result<(), Corrupt> {
        Corrupt::unless(self.pending.len() <= MOST_PENDING)?;
        self.early.validate()?;
        Corrupt::unless(self.quotable.len() <= MOST_QUOTABLE)?;
        self.requests.validate()?;
        self.remembered.validate()?;
        self.seen_lines.validate()?;
        // Counting on must not overflow.
        let can_go_on = |count: u64| count <= MAX_COUNT;
        Corrupt::unless(can_go_on(self.steps))?;
        Corrupt::unless(self.pending.iter().all(|call| can_go_on(call.index)))
    }
}

impl Followed {
    /// Keeps what a report would quote of a call until its result is judged.
    pub(super) fn quote(&mut self, index: u64, call: CallSummary) {
        let Self {
            quotable,
            pending,
            early,
            ..
        } = self;
        let is_open = |index: u64| {
            let mut calls = pending.iter().chain(early.calls());
            calls.any(|call| call.index == index)
        };
        quotable.retain(|(index, _)| is_open(*index));
        if quotable.len() == MOST_QUOTABLE {
            quotable.pop_front();
        }
        quotable.push_back((index, call));
    }

    /// Forgets the words of the calls that can be quoted.
    pub(super) fn forget_quotes(&mut self) {
        for (_, call) in &mut self.quotable {
            call.forget_words();
        }
    }

    pub(super) fn forget(&mut self) {
        self.pending.clear();
        self.early.clear();
        self.history.forget_steps();
        self.seen_lines = SeenLines::default();
        self.steps = 0;
        self.next_index = 0;
    }

    /// The model is nudged for a call, at most once. `None` if it was for this one, and otherwise whether that is one
    /// nudge too many: who was told twice and goes on in circles is not helped by a third hint.
    pub(super) fn nudge(&mut self, index: u64) -> Option<bool> {
        if self.last_nudged_call.replace(index) == Some(index) {
            return None;
        }
        let since = index.saturating_sub(self.counted_at);
        if self.nudges > 0 && since < SOON_CALLS {
            // The same run is told of by another rule.
            return Some(false);
        }
        self.nudges = match since <= NEAR_CALLS {
            true => self.nudges.saturating_add(1),
            false => 1,
        };
        self.counted_at = index;
        Some(self.nudges >= MOST_NUDGES)
    }

    /// The user has spoken, or the host: the nudges so far do not count any more.
    pub(super) fn forget_nudges(&mut self) {
        self.nudges = 0;
    }

    /// A call waits for its result.
    pub(super) fn add_pending(&mut self, call: CallFeatures) {
        if self.pending.len() == MOST_PENDING {
            self.pending.pop_front();
        }
        self.pending.push_back(call);
    }

    /// True if the call was made before.
    pub(super) fn has_call(&self, call: &CallFeatures) -> bool {
        let is_same = |other: &CallFeatures| call.call.is_some() && other.call == call.call;
        self.history.has_call(call.call)
            || self.pending.iter().any(is_same)
            || self.early.calls().any(is_same)
    }

    /// The summary of a call that can be quoted.
    pub(super) fn quotable(&self, index: u64) -> Option<&CallSummary> {
        let mut quotable = self.quotable.iter();
        quotable
            .find(|(call, _)| *call == index)
            .map(|(_, call)| call)
    }
}
