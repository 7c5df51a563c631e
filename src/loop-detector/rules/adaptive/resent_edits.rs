//! Finds: edits that were refused and are sent again unchanged, in any order, with other tries between.
//! Must not find: an edit that is sent again after something was changed; edits that differ.
//! The number: 3; at 2, 3 of 1,469 healthy sessions of sets A and B are hit, at 3 none. It alone finds 1 loop of 119.

use serde::{Deserialize, Serialize};

use super::features::Step;
use super::history::History;
use super::run::{Limit, Run};
use super::step_rule::{self, Finding, StepRule, StepRuleInfo};
use crate::LoopDetectorOptions;
use crate::report::{LoopType, RuleName};
use crate::rules::{RuleInfo, RunUnderWay};
use turnkeeper_base::snapshot::{Corrupt, SavedState};

const INFO: StepRuleInfo = StepRuleInfo {
    rule: RuleInfo {
        name: RuleName::ResentEdits,
        options: &["resentEdits"],
    },
    loop_type: LoopType::RepeatedToolCycle,
    message: "{count} times {tool} or another edit was sent again as it was refused before.",
    feedback: "You seem to be stuck: {message} The same edit will be refused again. Read the lines of the file as they are now, and change what the refusal names.",
};

/// Whatever is sent again, it is one run.
const RESENT: u64 = 0;

#[derive(Debug, Clone)]
pub(super) struct ResentEdits {
    limit: u64,
    state: State,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct State {
    run: Run,
    /// The number of the last step that changed something; refusals before it do not count.
    changed_at: u64,
}

impl SavedState for State {
    fn validate(&self) -> Result<(), Corrupt> {
        self.run.validate()
    }
}

impl StepRule for ResentEdits {
    fn from_options(options: &LoopDetectorOptions) -> Option<Self> {
        Some(Self {
            limit: options.resent_edits?.count()?,
            state: State::default(),
        })
    }

    fn info() -> &'static StepRuleInfo {
        &INFO
    }

    fn at_result(&mut self, step: &Step, history: &mut History) -> Option<Finding> {
        let Step { call, result, .. } = step;
        if !result.refuses_edit {
            let is_change = !call.looks && !call.is_note && !result.failed;
            if is_change {
                self.state.run = Run::default();
                self.state.changed_at = step.number;
            }
            return None;
        }
        let was_refused = |other: &Step| {
            other.result.refuses_edit
                && other.number > self.state.changed_at
                && other.number < step.number
                && other.call.request != call.request
                && other.call.exact == call.exact
        };
        if call.exact.is_none() || !history.newest_first().any(was_refused) {
            return None;
        }
        self.state.run.add(Some(RESENT), call);
        self.state.run.judge(Limit::of_different(self.limit))
    }

    /// The refusals before it are what they were.
    fn missing_result(&mut self) {}

    fn forget(&mut self) {
        self.state = State::default();
    }

    fn under_way(&self) -> Option<RunUnderWay> {
        Some(self.state.run.under_way(Limit::of_different(self.limit)))
    }

    fn save(&self) -> Vec<u8> {
        step_rule::save(&self.state)
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), Corrupt> {
        step_rule::load(&mut self.state, saved)
    }
}

#[cfg(test)]
mod tests {
    use super::super::example::{self, told};
    use super::*;
    use turnkeeper_base::options::Threshold;

    fn rule() -> ResentEdits {
        let options = LoopDetectorOptions {
            resent_edits: Some(Threshold::At(3)),
            ..LoopDetectorOptions::default()
        };
        ResentEdits::from_options(&options).expect("it is on")
    }

    fn refused(what: u64) -> Step {
        let mut step = example::step(what, what);
        step.call.edits = true;
        step.result.refuses_edit = true;
        step
    }

    #[test]
    fn refused_edits_that_come_again_are_told_of_in_any_order() {
        let steps = [1, 2, 1, 3, 2, 1].map(refused);
        assert_eq!(told(&mut rule(), &steps), ["", "", "", "", "", "nudge 3"]);
    }

    #[test]
    fn after_a_change_an_edit_may_be_sent_again() {
        let mut made = refused(7);
        made.result.refuses_edit = false;
        made.result.acknowledges = true;
        let steps = [
            refused(1),
            refused(1),
            refused(1),
            made,
            refused(1),
            refused(1),
        ];
        assert_eq!(told(&mut rule(), &steps), [""; 6]);
    }

    #[test]
    fn edits_that_differ_are_left_to_other_rules() {
        let steps: Vec<Step> = (0..6).map(refused).collect();
        assert_eq!(told(&mut rule(), &steps), [""; 6]);
    }
}
