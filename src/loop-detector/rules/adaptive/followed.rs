//! Calls and results so far, as far as later ones are seen together with them.

use crate::counts::MAX_COUNT;
use std::collections::VecDeque;

use serde::{Deserialize, Deserializer, Serialize};

use super::early_steps::EarlySteps;
use super::features::{Alike, CallFeatures, Remembered, ResultFeatures, SeenLines};
use super::hints::Hints;
use super::history::History;
use super::requests::Requests;
use crate::copies::clone_by_fields;
use crate::rules::CallSummary;
use turnkeeper_base::newest;
use turnkeeper_base::snapshot::{Corrupt, SavedState};

/// At most this many calls wait for their results; of more, the oldest are given up.
const MOST_PENDING: usize = 32;
/// At most this many of them can be quoted.
const MOST_QUOTABLE: usize = 8;

/// The state that is saved beside the rules' own.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Followed {
    /// Calls without a result, from the oldest to the newest.
    pub(super) pending: VecDeque<CallFeatures>,
    /// Calls whose results came before that of an earlier call of their request, in the order of the calls.
    pub(super) early: EarlySteps,
    #[serde(deserialize_with = "apart")]
    pub(super) history: History,
    pub(super) requests: Requests,
    pub(super) remembered: Remembered,
    #[serde(deserialize_with = "apart")]
    pub(super) seen_lines: SeenLines,
    #[serde(deserialize_with = "apart")]
    pub(super) alike: Alike,
    /// The number of steps so far.
    pub(super) steps: u64,
    /// The index after that of the last call with a result.
    pub(super) next_index: u64,
    /// The indexes from there on of calls that no rule counts, from the lowest to the highest.
    passed_over: VecDeque<u64>,
    pub(super) hints: Hints,
    pub(super) refused: Refused,
    /// The last calls that may turn out to be part of a loop, each with its index: those that have no result, and the
    /// newest.
    quotable: VecDeque<(u64, CallSummary)>,
}

clone_by_fields! {
    Followed:
    pending, early, history, requests, remembered, seen_lines, alike, steps, next_index,
    passed_over, hints, refused, quotable
}

/// Reads a part in a function of its own: a large function is slow to compile when a detector is first restored.
#[inline(never)]
fn apart<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<T, D::Error> {
    T::deserialize(deserializer)
}

/// The call that the user has refused last, again and again in the same words.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Refused {
    call: Option<u64>,
    text: u64,
    count: u64,
}

impl Refused {
    /// One more refusal: how many there were in a row.
    pub(super) fn take(&mut self, call: &CallFeatures, result: &ResultFeatures) -> u64 {
        let is_same = call.exact.is_some() && self.call == call.exact && self.text == result.text;
        *self = Self {
            call: call.exact,
            text: result.text,
            count: if is_same {
                self.count.saturating_add(1)
            } else {
                1
            },
        };
        self.count
    }
}

impl SavedState for Followed {
    fn validate(&self) -> Result<(), Corrupt> {
        Corrupt::unless(self.pending.len() <= MOST_PENDING)?;
        self.early.validate()?;
        Corrupt::unless(self.quotable.len() <= MOST_QUOTABLE)?;
        Corrupt::unless(self.passed_over.len() <= MOST_PENDING)?;
        self.requests.validate()?;
        self.remembered.validate()?;
        self.seen_lines.validate()?;
        self.alike.validate()?;
        // Counting on must not overflow.
        let can_go_on = |count: u64| count <= MAX_COUNT;
        Corrupt::unless(can_go_on(self.steps))?;
        Corrupt::unless(self.pending.iter().all(|call| can_go_on(call.index)))
    }
}

impl Followed {
    /// Nothing yet, where what waits may change nothing as many times.
    pub(super) fn new(waits: u64) -> Self {
        let mut state = Self::default();
        state.history.waits = waits;
        state
    }

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
        newest::push(quotable, (index, call), MOST_QUOTABLE);
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
        self.alike = Alike::default();
        self.steps = 0;
        self.next_index = 0;
        self.passed_over.clear();
    }

    /// No rule counts the call of this index.
    pub(super) fn pass_over(&mut self, index: u64) {
        newest::push(&mut self.passed_over, index, MOST_PENDING);
    }

    /// Whether no call that counts is between the last step and the call of this index.
    pub(super) fn is_next(&mut self, index: u64) -> bool {
        while let Some(&passed) = self.passed_over.front()
            && passed <= self.next_index
        {
            self.passed_over.pop_front();
            self.next_index = self.next_index.max(passed + 1);
        }
        self.next_index == index
    }

    /// A call waits for its result.
    pub(super) fn add_pending(&mut self, call: CallFeatures) {
        newest::push(&mut self.pending, call, MOST_PENDING);
    }

    /// Whether the call was made before.
    pub(super) fn has_call(&self, call: &CallFeatures) -> bool {
        let is_same = |other: &CallFeatures| call.call.is_some() && other.call == call.call;
        self.history.has_call(call.call)
            || self.pending.iter().any(is_same)
            || self.early.calls().any(is_same)
    }

    /// Whether the call was made before in the last request.
    pub(super) fn has_call_of_request(&self, call: &CallFeatures) -> bool {
        let request = self.requests.number();
        let is_same = |other: &CallFeatures| {
            call.exact.is_some() && other.exact == call.exact && other.request == request
        };
        let steps = self.history.newest_first().map(|step| &step.call);
        let open = self.pending.iter().chain(self.early.calls());
        steps.chain(open).any(is_same)
    }

    /// The summary of a call that can be quoted.
    pub(super) fn quotable(&self, index: u64) -> Option<&CallSummary> {
        let mut quotable = self.quotable.iter();
        quotable
            .find(|(call, _)| *call == index)
            .map(|(_, call)| call)
    }
}
