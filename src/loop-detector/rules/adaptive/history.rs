//! The state that the rules share: the last steps, and the ones that the model was nudged for.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::features::Step;
use super::finding::Finding;
use super::run::{Limit, Run};
use crate::copies::clone_by_fields;

use turnkeeper_base::newest;

/// This many steps are kept.
pub(super) const KEPT: usize = 20;
/// This many steps are remembered of which the model was told.
const MOST_TOLD: usize = 8;

/// Among 16 steps, a change and four checks of it are made three times.
const FRESH: usize = 3;

/// The last steps, and those of which the model was told.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct History {
    /// From the oldest to the newest; without notes, unless they failed.
    recent: VecDeque<Step>,
    /// The keys of steps of which the model was told, from the oldest to the newest.
    told: VecDeque<u64>,
    /// The number of times that what waits may change nothing: a setting, so not saved.
    #[serde(skip)]
    pub(super) waits: u64,
}

clone_by_fields! { History: recent, told, waits }

impl History {
    /// Adds a step, and forgets the oldest if there are more than are kept.
    pub(super) fn push(&mut self, step: Step) {
        newest::push(&mut self.recent, step, KEPT);
    }

    /// The last steps, from the newest to the oldest.
    pub(super) fn newest_first(&self) -> impl ExactSizeIterator<Item = &Step> {
        self.recent.iter().rev()
    }

    /// Whether a call is among the last ones.
    pub(super) fn has_call(&self, call: Option<u64>) -> bool {
        call.is_some() && self.recent.iter().any(|step| step.call.call == call)
    }

    /// Whether the newest step is about a file or a folder that no step before it was about.
    pub(super) fn is_elsewhere(&self) -> bool {
        let mut steps = self.newest_first();
        let path = steps.next().and_then(|step| step.call.path);
        path.is_some() && steps.all(|step| step.call.path != path)
    }

    /// The index of the first of the newest steps, of which there are as many.
    pub(super) fn first_index(&self, count: u64) -> u64 {
        let first = self.newest_first().take(count as usize).last();
        first.map_or(0, |step| step.call.index)
    }

    /// The number of the newest steps, at most as many, and of the different things that `key` tells of them; what it
    /// tells nothing of is another thing each time.
    pub(super) fn different(
        &self,
        most: usize,
        key: &dyn Fn(&Step) -> Option<u64>,
    ) -> (usize, usize) {
        let mut keys: [u64; KEPT] = [0; KEPT];
        let (mut count, mut different) = (0, 0);
        for step in self.newest_first().take(most.min(KEPT)) {
            let key = key(step);
            count += 1;
            if key.is_none_or(|key| !keys[..different].contains(&key)) {
                keys[different] = key.unwrap_or_default();
                different += 1;
            }
        }
        (count, different)
    }

    /// Whether the model gets on among as many of the newest steps: [`FRESH`] of their calls are new and brought something, and
    /// what `key` tells of them is there once. An edit is such a step, and so is a look at the next file.
    pub(super) fn gets_on(&self, most: usize, key: &dyn Fn(&Step) -> Option<u64>) -> bool {
        let newest = || self.newest_first().take(most);
        let is_single = |sought: Option<u64>| {
            let mut same = newest().filter(|step| key(step) == sought);
            sought.is_some() && same.nth(1).is_none()
        };
        let fresh = newest().filter(|step| {
            step.is_new && !step.fails() && !step.found_nothing() && is_single(key(step))
        });
        fresh.count() >= FRESH
    }

    pub(super) fn was_told_of(&self, key: u64) -> bool {
        self.told.contains(&key)
    }

    pub(super) fn set_told_of(&mut self, key: u64) {
        newest::push(&mut self.told, key, MOST_TOLD);
    }

    /// Forgets the steps, but not what the model was nudged for.
    pub(super) fn forget_steps(&mut self) {
        self.recent.clear();
    }

    /// Forgets what the model was nudged for.
    pub(super) fn forget_what_was_told(&mut self) {
        self.told.clear();
    }

    /// Judges a run of the same call with the same result: a stop without another nudge if the model
    /// goes back to what it was nudged for before.
    pub(super) fn judge_repeats(
        &mut self,
        run: &mut Run,
        step: &Step,
        limit: Limit,
    ) -> Option<Finding> {
        let key = step.key?;
        if !run.was_nudged() && self.was_told_of(key) {
            return (run.count() >= limit.nudge).then(|| run.stop());
        }
        let finding = run.judge(limit)?;
        if !finding.is_stop {
            self.set_told_of(key);
        }
        Some(finding)
    }

    /// Whether it is within its bounds.
    pub(super) fn is_valid(&self) -> bool {
        self.recent.len() <= KEPT && self.told.len() <= MOST_TOLD
    }
}
