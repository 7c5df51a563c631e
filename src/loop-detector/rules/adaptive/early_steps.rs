//! Steps in the order of their calls. Calls of one request run at the same time, and a slow one ends last; but whichever
//! result comes first, the same calls with the same results are the same round.

use crate::counts::MAX_COUNT;
use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::features::{CallFeatures, ResultFeatures};
use turnkeeper_base::snapshot::{Corrupt, SavedState};

/// At most this many steps wait; of more, the first is taken as it is.
const MOST: usize = 32;

/// Steps whose results came before that of an earlier call of their request.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct EarlySteps {
    /// In the order of the calls.
    steps: VecDeque<EarlyStep>,
}

/// A call and its result.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct EarlyStep {
    pub(super) call: CallFeatures,
    pub(super) result: ResultFeatures,
}

impl SavedState for EarlySteps {
    fn validate(&self) -> Result<(), Corrupt> {
        Corrupt::unless(self.steps.len() <= MOST)?;
        Corrupt::unless(self.calls().all(|call| call.index <= MAX_COUNT))
    }
}

impl EarlySteps {
    /// The number of no request, for which no step waits.
    pub(super) const OF_NO_REQUEST: u64 = 0;

    /// Their calls.
    pub(super) fn calls(&self) -> impl Iterator<Item = &CallFeatures> {
        self.steps.iter().map(|step| &step.call)
    }

    /// Adds a step at its place.
    pub(super) fn add(&mut self, step: EarlyStep) {
        let is_before = |other: &EarlyStep| other.call.index < step.call.index;
        let place = self.steps.partition_point(is_before);
        self.steps.insert(place, step);
    }

    /// The first step, unless it is of this request, the last that has begun, and an earlier call of that is still among
    /// those without a result.
    pub(super) fn take(
        &mut self,
        request: u64,
        pending: &VecDeque<CallFeatures>,
    ) -> Option<EarlyStep> {
        let first = self.steps.front()?.call;
        let is_earlier = |call: &CallFeatures| call.request == request && call.index < first.index;
        let waits = first.request == request && self.steps.len() < MOST;
        match waits && pending.iter().any(is_earlier) {
            true => None,
            false => self.steps.pop_front(),
        }
    }

    pub(super) fn clear(&mut self) {
        self.steps.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(index: u64, request: u64) -> EarlyStep {
        EarlyStep {
            call: CallFeatures {
                index,
                request,
                ..CallFeatures::default()
            },
            result: ResultFeatures::default(),
        }
    }

    /// The indexes of the steps that can be taken.
    fn taken(steps: &mut EarlySteps, request: u64, pending: &[EarlyStep]) -> Vec<u64> {
        let pending = pending.iter().map(|step| step.call).collect();
        std::iter::from_fn(|| steps.take(request, &pending))
            .map(|step| step.call.index)
            .collect()
    }

    #[test]
    fn a_step_waits_for_the_earlier_calls_of_its_request_alone() {
        let mut steps = EarlySteps::default();
        steps.add(step(4, 2));
        steps.add(step(3, 2));
        let open = [step(0, 1), step(2, 2)];
        assert!(taken(&mut steps, 2, &open).is_empty());
        assert_eq!(taken(&mut steps, 2, &open[..1]), [3, 4]);
    }

    #[test]
    fn no_step_waits_once_another_request_begins() {
        let mut steps = EarlySteps::default();
        steps.add(step(2, 1));
        assert!(taken(&mut steps, 1, &[step(1, 1)]).is_empty());
        assert_eq!(taken(&mut steps, 2, &[step(1, 1)]), [2]);
    }

    #[test]
    fn only_so_many_wait() {
        let mut steps = EarlySteps::default();
        for index in 1..=MOST as u64 {
            steps.add(step(index, 1));
        }
        assert_eq!(taken(&mut steps, 1, &[step(0, 1)]), [1]);
    }
}
