//! Finds: 3 edits that come again as they were refused, or as they were made before others, with others in between; a
//! stop at 9. Their order does not matter.
//! In Chinese: 3 次修改在被拒绝之后，或在做过别的修改之后，原样重来，中间有别的修改；停止：9 次。
//! Must not find: an edit that is sent again after something was changed; edits that differ; an edit that is made,
//! taken back and made once more.
//! The number: 3; at 2, 3 of 1,469 healthy sessions of sets A and B are hit, at 3 none. It alone finds 1 loop of 119.

use serde::{Deserialize, Serialize};

use super::features::Step;
use super::history::History;
use super::run::{Limit, Run};
use super::step_rule::{Finding, StepRule, StepRuleInfo};
use crate::report::LoopType;
use crate::rules::RunUnderWay;

/// Whatever is sent again, it is one run.
const RESENT: u64 = 0;

#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct ResentEdits {
    /// Edits that were refused, ...
    refused: Run,
    /// and those that were made, and undone or overwritten since.
    remade: Run,
    /// The number of the last step that changed something; refusals before it do not count.
    changed_at: u64,
    /// The last edit that was made.
    last_made: Option<u64>,
}

pub(super) const INFO: StepRuleInfo = StepRuleInfo {
    usual: 3,
    loop_type: LoopType::RepeatedToolCycle,
    message: "{count} times {tool} or another edit came again as it had come before.",
    feedback: "You seem to be stuck: {message} What was refused will be refused again, and what was made and undone will do no better. Read the lines of the file as they are now, and find out why the last attempt was not enough.",
    // The edits before it are what they were.
    needs_every_result: false,
    ..StepRuleInfo::USUAL
};

impl ResentEdits {
    /// An edit that was made.
    fn made(&mut self, step: &Step, history: &History, limit: u64) -> Option<Finding> {
        let call = &step.call;
        let came_just_before = std::mem::replace(&mut self.last_made, call.exact) == call.exact;
        if came_just_before {
            return None;
        }
        let was_made = |other: &Step| {
            other.call.exact == call.exact
                && other.number < step.number
                && other.result.acknowledges
                && other.call.request != call.request
        };
        // Without its file, an edit of one line may be of another file.
        let is_whole = call.path.is_some() || !call.edits;
        let is_again = is_whole && call.exact.is_some() && history.newest_first().any(was_made);
        self.remade.add(is_again.then_some(RESENT), call);
        self.remade.judge(Limit::of_different(limit))
    }
}

impl StepRule for ResentEdits {
    fn at_result(&mut self, step: &Step, history: &mut History, limit: u64) -> Option<Finding> {
        let Step { call, result, .. } = step;
        if !result.refuses_edit {
            let is_change = !call.looks && !call.is_note && !result.failed;
            if is_change {
                self.refused = Run::default();
                self.changed_at = step.number;
            }
            return match call.may_edit && result.acknowledges {
                true => self.made(step, history, limit),
                false => None,
            };
        }
        let was_refused = |other: &Step| {
            other.result.refuses_edit
                && other.number > self.changed_at
                && other.number < step.number
                && other.call.request != call.request
                && other.call.exact == call.exact
        };
        if call.exact.is_none() || !history.newest_first().any(was_refused) {
            return None;
        }
        self.refused.add(Some(RESENT), call);
        self.refused.judge(Limit::of_different(limit))
    }

    fn under_way(&self, limit: u64) -> Option<RunUnderWay> {
        let runs = [&self.refused, &self.remade];
        let runs = runs.map(|run| run.under_way(Limit::of_different(limit)));
        RunUnderWay::nearest(runs.into_iter())
    }
}

#[cfg(test)]
mod tests {
    use super::super::example::{self, Rule, told};
    use super::*;

    fn rule() -> Rule {
        example::rule("resent_edits", 3)
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

    fn made(what: u64) -> Step {
        let mut step = refused(what);
        step.call.may_edit = true;
        step.call.path = Some(1);
        step.result.refuses_edit = false;
        step.result.acknowledges = true;
        step
    }

    #[test]
    fn edits_that_undo_each_other_are_told_of() {
        let steps = [1, 2, 1, 2, 1].map(made);
        assert_eq!(told(&mut rule(), &steps), ["", "", "", "", "nudge 3"]);
        let other = [1, 2, 1, 2, 3, 1, 2].map(made);
        assert_eq!(told(&mut rule(), &other), [""; 7]);
        assert_eq!(told(&mut rule(), &[1; 5].map(made)), [""; 5]);
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
