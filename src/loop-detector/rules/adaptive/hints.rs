//! The hints that the model was given in a prompt, and whether it goes on all the same.
//!
//! Who was told three times and got nothing in between is not helped by another hint; and few different pairs of call and
//! result after a hint are the loop that it was about. At most 7 different pairs among 16 hold in 139 recorded loops and
//! in one healthy session; but three new calls that brought something are no loop, as where each edit has the same checks.

use serde::{Deserialize, Serialize};

use super::features::{CallFeatures, Step};
use super::history::History;
use super::step_rule::StepFinding;
use crate::rules::RuleName;

/// This many hints are a stop, if each is near the one before and nothing was got in between.
const MOST_HINTS: u64 = 3;
/// A hint within this many calls after another is near it.
const NEAR_CALLS: u64 = 40;
/// One that comes sooner is about the same calls, and counts with the other.
const SOON_CALLS: u64 = 3;
/// The steps whose different pairs are counted, and after a second hint the fewest.
const WINDOW: usize = 16;
const FEWEST_STEPS: usize = 9;
/// This many different pairs of [`WINDOW`] are few.
const FEW_PAIRS: usize = 7;

/// The hints so far.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Hints {
    /// The last call for which there was one.
    last_call: Option<u64>,
    /// Hints near to each other since anything was got, but for those that are never a stop, ...
    vain: u64,
    /// and all of them.
    near: u64,
    /// The call at which the last was counted.
    counted_at: u64,
    /// The rule that gave the last one, and the number of steps by then.
    rule: Option<RuleName>,
    steps: u64,
    /// The last new edit that went through since the first one that counts.
    made: Option<u64>,
}

impl Hints {
    /// The model is told of a call, at most once; `None` if it was. Otherwise whether that is one hint too many. A
    /// mere hint is never one. There were as many steps by then.
    pub(super) fn hint(
        &mut self,
        found: &StepFinding,
        call: &CallFeatures,
        steps: u64,
    ) -> Option<bool> {
        let index = call.index;
        if self.last_call.replace(index) == Some(index) {
            return None;
        }
        let since = index.saturating_sub(self.counted_at);
        if self.near > 0 && since < SOON_CALLS {
            // The same run is told of by another rule.
            return Some(false);
        }
        (self.rule, self.steps) = (Some(found.rule), steps);
        if self.near > 0 && since > NEAR_CALLS {
            (self.near, self.vain) = (0, 0);
        }
        // An edit that is itself what repeats is nothing that was got.
        if self
            .made
            .take()
            .is_some_and(|made| call.exact != Some(made))
        {
            self.vain = 0;
        }
        self.near = self.near.saturating_add(1);
        self.counted_at = index;
        if found.finding.is_mere_hint {
            return Some(false);
        }
        self.vain = self.vain.saturating_add(1);
        Some(self.vain >= MOST_HINTS)
    }

    /// A step came, which is the newest of the history.
    pub(super) fn step(&mut self, step: &Step, history: &History) {
        if self.vain == 0 {
            return;
        }
        let Step { call, result, .. } = step;
        if call.edits && result.acknowledges && step.is_new {
            self.made = call.exact;
        }
        let is_outcome = !(step.fails() || call.waits || call.is_note || call.looks)
            && !(result.acknowledges || result.is_seen || result.is_empty);
        let mut before = history.newest_first().skip(1);
        if is_outcome && before.all(|other| other.result.text != result.text) {
            self.vain = 0;
        }
    }

    /// The rule whose hint was in vain and the number of steps since, if these are few different ones. What waits is given its time.
    pub(super) fn unheeded(
        &self,
        history: &History,
        steps: u64,
        asked: u64,
    ) -> Option<(RuleName, u64)> {
        let window = match self.near {
            0 => return None,
            1 if steps < self.steps.saturating_add(WINDOW as u64 + asked) => return None,
            1 => WINDOW,
            _ if steps < self.steps.saturating_add(1 + asked) => return None,
            _ => FEWEST_STEPS,
        };
        let newest = history.newest_first().next()?;
        let (mut of_newest, mut results_differ) = (0, false);
        for step in history.newest_first().take(WINDOW) {
            if step.call.call == newest.call.call {
                of_newest += 1;
                results_differ |= step.result.text != newest.result.text;
            }
        }
        let moves_on = |step: &Step| step.call.waits || step.result.ages;
        let key = |step: &Step| step.key.filter(|_| !moves_on(step));
        let (count, different) = history.different(WINDOW, &key);
        // One call with different results is what is tried out.
        let is_tried_out = results_differ && of_newest * 4 >= count * 3;
        let is_few = !is_tried_out
            && count >= window
            && different * WINDOW <= FEW_PAIRS * count
            && !history.gets_on(WINDOW, &key);
        Some((self.rule.filter(|_| is_few)?, count as u64))
    }

    /// Whether the model may be told that it goes on all the same.
    pub(super) fn are_near(&self) -> bool {
        self.near > 0
    }

    /// The user has spoken, or the host.
    pub(super) fn forget(&mut self) {
        *self = Self {
            last_call: self.last_call,
            ..Self::default()
        };
    }
}
