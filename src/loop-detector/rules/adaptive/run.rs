//! Steps in a row that have one thing in common.

use serde::{Deserialize, Serialize};

use super::features::CallFeatures;
use super::finding::Finding;
use crate::rules::RunUnderWay;

/// Consecutive steps that are equal in what a rule compares.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Run {
    /// The key that they have in common; `None` while there is no run.
    key: Option<u64>,
    count: u64,
    /// The index of the first one.
    first_index: u64,
    /// The request of the last one.
    last_request: u64,
    /// Whether there was a nudge.
    was_nudged: bool,
}

impl Run {
    /// Another step: it continues the run if its key is the same, and otherwise begins a new one. A
    /// step without a key only ends the run. Calls of one request count once.
    pub(super) fn add(&mut self, key: Option<u64>, call: &CallFeatures) {
        self.add_at(key, call.index, call.request);
    }

    /// The same for what has this index, in a request or whatever else counts once.
    pub(super) fn add_at(&mut self, key: Option<u64>, index: u64, request: u64) {
        if self.key != key || key.is_none() {
            *self = Self {
                key,
                first_index: index,
                ..Self::default()
            };
        }
        let is_another_request = self.count == 0 || self.last_request != request;
        if key.is_some() && is_another_request {
            self.count = self.count.saturating_add(1);
            self.last_request = request;
        }
    }

    /// The key that its steps have in common; `None` while there is no run.
    pub(super) fn key(&self) -> Option<u64> {
        self.key
    }

    pub(super) fn count(&self) -> u64 {
        self.count
    }

    pub(super) fn was_nudged(&self) -> bool {
        self.was_nudged
    }

    /// The model was nudged for it by another run, if that has found anything.
    pub(super) fn nudged_with(&mut self, found: &Option<Finding>) {
        self.was_nudged |= found.is_some();
    }

    /// Another run has nudged the model for it.
    pub(super) fn set_nudged(&mut self) {
        self.was_nudged = true;
    }

    /// A nudge once the run is as long as the limit, and a stop if it goes on all the same.
    pub(super) fn judge(&mut self, limit: Limit) -> Option<Finding> {
        let RunUnderWay { threshold, .. } = self.under_way(limit);
        if self.count < threshold {
            return None;
        }
        let is_stop = self.was_nudged;
        self.was_nudged = true;
        Some(self.finding(is_stop, threshold))
    }

    /// Its length, and the next threshold of a rule with this limit.
    pub(super) fn under_way(&self, limit: Limit) -> RunUnderWay {
        RunUnderWay {
            count: self.count,
            threshold: limit.after(self.was_nudged),
        }
    }

    /// A stop at this length.
    pub(super) fn stop(&self) -> Finding {
        self.finding(true, self.count)
    }

    fn finding(&self, is_stop: bool, threshold: u64) -> Finding {
        let found = if is_stop {
            Finding::stop
        } else {
            Finding::nudge
        };
        found(threshold, self.count, self.first_index)
    }
}

/// When a rule nudges, and when it stops.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Limit {
    /// The length at which it nudges.
    pub(super) nudge: u64,
    /// The number of steps by which a run may grow after that before the model is stopped.
    pub(super) patience: u64,
}

/// The patience after a nudge depends on what repeats. Of the recorded runs that reached their
/// aim, those that were nudged went on for up to 2 identical edits and 5 errors, and healthy ones for 4 searches;
/// of those with identical results none went on for less than 14.
impl Limit {
    /// For identical calls with the same result, rounds of calls, and messages.
    pub(super) fn of_identical(nudge: u64) -> Self {
        Self { nudge, patience: 2 }
    }

    /// For edits of one file.
    pub(super) fn of_edits(nudge: u64) -> Self {
        Self { nudge, patience: 3 }
    }

    /// For different calls that fail alike or find nothing.
    pub(super) fn of_different(nudge: u64) -> Self {
        Self { nudge, patience: 6 }
    }

    /// For calls that wait, half as long again.
    pub(super) fn of_waits(nudge: u64) -> Self {
        Self {
            nudge,
            patience: nudge.div_ceil(2).max(2),
        }
    }

    /// The later of two in both.
    pub(super) fn later(self, other: Self) -> Self {
        Self {
            nudge: self.nudge.max(other.nudge),
            patience: self.patience.max(other.patience),
        }
    }

    /// The length at which it next speaks, before the nudge and after it.
    pub(super) fn after(self, was_nudged: bool) -> u64 {
        match was_nudged {
            true => self.stop(),
            false => self.nudge,
        }
    }

    /// The finding at exactly the lengths at which it nudges and stops.
    pub(super) fn at(self, count: u64, first_index: u64) -> Option<Finding> {
        match count {
            _ if count == self.stop() => Some(Finding::stop(count, count, first_index)),
            _ if count == self.nudge => Some(Finding::nudge(count, count, first_index)),
            _ => None,
        }
    }

    /// The length at which it stops.
    pub(super) fn stop(self) -> u64 {
        self.nudge.saturating_add(self.patience)
    }
}

/// Consecutive different calls with one result.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RunOfDifferentCalls {
    run: Run,
    /// The hash by which the first call is compared.
    first_call: Option<u64>,
    /// Whether another call differs from it, or nothing is known of one.
    calls_differ: bool,
}

impl RunOfDifferentCalls {
    /// Another call, and what is compared of its result; `None` ends the run.
    pub(super) fn add(&mut self, key: Option<u64>, call: &CallFeatures) {
        let Some(key) = key else {
            *self = Self::default();
            return;
        };
        if self.run.key != Some(key) {
            *self = Self {
                first_call: call.call,
                ..Self::default()
            };
        }
        self.calls_differ |= call.call.is_none() || call.call != self.first_call;
        self.run.add(Some(key), call);
    }

    /// Its length, and the next threshold of a rule with this limit; `None` while all calls are
    /// equal.
    pub(super) fn under_way(&self, limit: Limit) -> Option<RunUnderWay> {
        self.calls_differ.then(|| self.run.under_way(limit))
    }

    /// Whether it has more than one call, equal ones or not: the next may make a loop of them.
    pub(super) fn has_begun(&self) -> bool {
        self.run.count() > 1
    }

    /// As [`Run::judge`]; equal calls are for other rules to judge.
    pub(super) fn judge(&mut self, limit: Limit) -> Option<Finding> {
        match self.calls_differ {
            true => self.run.judge(limit),
            false => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_told_of_once_and_stopped_when_it_goes_on() {
        let call = |index| CallFeatures {
            index,
            request: index + 1,
            ..CallFeatures::default()
        };
        let mut run = Run::default();
        let mut verdicts = Vec::new();
        for index in 0..6 {
            run.add(Some(1), &call(index));
            verdicts.push(
                run.judge(Limit::of_identical(3))
                    .map(|found| (found.is_stop, found.count)),
            );
        }
        let expected = [
            None,
            None,
            Some((false, 3)),
            None,
            Some((true, 5)),
            Some((true, 6)),
        ];
        assert_eq!(verdicts, expected);
        run.add(Some(2), &call(6));
        assert_eq!(run.count(), 1);
        assert_eq!(run.judge(Limit::of_different(3)), None);
        run.add(None, &call(7));
        assert_eq!(
            run,
            Run {
                first_index: 7,
                ..Run::default()
            }
        );
    }

    #[test]
    fn a_stop_waits_for_what_goes_on_all_the_same() {
        for (limit, stop) in [
            (Limit::of_identical(3), 5),
            (Limit::of_edits(3), 6),
            (Limit::of_different(4), 10),
            (Limit::of_waits(5), 8),
            (Limit::of_waits(20), 30),
            (Limit::of_identical(u64::MAX), u64::MAX),
        ] {
            assert_eq!(limit.stop(), stop);
        }
    }

    #[test]
    fn equal_calls_are_no_run_of_different_ones_until_another_comes() {
        let call = |index, call| CallFeatures {
            index,
            request: index + 1,
            call: Some(call),
            ..CallFeatures::default()
        };
        let mut run = RunOfDifferentCalls::default();
        for index in 0..4 {
            run.add(Some(7), &call(index, 1));
            assert_eq!(
                (
                    run.under_way(Limit::of_different(4)),
                    run.judge(Limit::of_different(4))
                ),
                (None, None)
            );
            assert_eq!(run.has_begun(), index > 0);
        }
        run.add(Some(7), &call(4, 2));
        assert_eq!(
            run.under_way(Limit::of_different(6)).map(|run| run.count),
            Some(5)
        );
        assert_eq!(
            run.judge(Limit::of_different(4)).map(|found| found.count),
            Some(5)
        );
    }

    #[test]
    fn of_different_calls_a_request_counts_once() {
        let call = |index, request| CallFeatures {
            index,
            request,
            call: Some(index),
            ..CallFeatures::default()
        };
        let mut run = RunOfDifferentCalls::default();
        for (index, request) in [(0, 1), (1, 1), (2, 1), (3, 4)] {
            run.add(Some(7), &call(index, request));
        }
        assert_eq!(
            run.under_way(Limit::of_different(2)).map(|run| run.count),
            Some(2)
        );
        let found = run.judge(Limit::of_different(2)).expect("two requests");
        assert_eq!((found.count, found.first_index), (2, 0));
        run.add(None, &call(4, 5));
        assert_eq!(run, RunOfDifferentCalls::default());
    }
}
