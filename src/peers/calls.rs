//! Calls that come again: how often they have, and what a report says of it.

use serde::{Deserialize, Serialize};

use crate::report::{Detection, PeerReport, PeerRule};
use turnkeeper_base::snapshot::{Corrupt, SavedState};
use turnkeeper_loop_detector::LoopType;
use turnkeeper_loop_detector::detecting::{
    Action, CallSeen, IDENTICAL_CALLS_TEXTS, Item, PeriodTracker, RunUnderWay, Texts,
};

/// Calls, as far as they repeat.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Calls(PeriodTracker);

/// The calls that are followed are known with the options alone, when they are loaded.
impl SavedState for Calls {
    fn validate(&self) -> Result<(), Corrupt> {
        Ok(())
    }
}

impl Calls {
    /// Follows rounds of at most this many calls; with 0 it follows none.
    pub(crate) fn in_rounds_up_to(longest: u64) -> Self {
        Self(PeriodTracker::new(longest))
    }

    /// Follows a call that comes again and again.
    pub(crate) fn in_a_row() -> Self {
        Self::in_rounds_up_to(1)
    }

    /// The next call, and what it is compared by.
    pub(crate) fn add(&mut self, key: u64, index: u64) {
        let call = key;
        self.0.push(Item { key, call, index });
    }

    /// The number of whole rounds of `period` calls that are equal at the end.
    pub(crate) fn rounds(&self, period: u64) -> u64 {
        self.0.covered(period) / period
    }

    /// The run of equal calls, if a number of them is too much.
    pub(crate) fn run(&self, threshold: Option<u64>) -> Option<RunUnderWay> {
        let count = self.rounds(1);
        threshold.map(|threshold| RunUnderWay { count, threshold })
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Goes on from calls out of a snapshot.
    pub(crate) fn load(&mut self, saved: Self) -> Result<(), Corrupt> {
        saved.0.validate(self.0.longest())?;
        *self = saved;
        Ok(())
    }
}

/// A loop of calls that an agent finds.
#[derive(Clone, Copy)]
pub(crate) struct CallLoop {
    pub(crate) rule: PeerRule,
    pub(crate) loop_type: LoopType,
    pub(crate) texts: Texts,
}

impl CallLoop {
    /// Identical calls in a row.
    pub(crate) const fn identical(rule: PeerRule) -> Self {
        Self {
            rule,
            loop_type: LoopType::ConsecutiveIdenticalToolCalls,
            texts: IDENTICAL_CALLS_TEXTS,
        }
    }

    /// A stop from `threshold` rounds of `period` calls on, of which this is the last.
    pub(crate) fn stop_from(
        self,
        threshold: Option<u64>,
        period: u64,
        calls: &Calls,
        last: &CallSeen,
    ) -> Option<Detection> {
        let threshold = threshold.filter(|threshold| calls.rounds(period) >= *threshold)?;
        Some(self.found(Action::Stop, threshold, period, calls, last))
    }

    /// The detection of the rounds, of which this is the last call.
    pub(crate) fn found(
        self,
        action: Action,
        threshold: u64,
        period: u64,
        calls: &Calls,
        last: &CallSeen,
    ) -> Detection {
        let mut report = PeerReport::new(self.loop_type, self.rule);
        report.count = calls.rounds(period);
        report.threshold = threshold;
        report.period = (period > 1).then_some(period);
        report.first_index = calls.0.first_index(period);
        report.last_index = last.index;
        Detection::of(action, report, self.texts).at(last.call)
    }
}
