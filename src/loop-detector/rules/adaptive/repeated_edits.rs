//! Finds: 3 identical edits in a row, whatever their results, or 4 identical acts such as sending a message; a stop at
//! 6, or 8. A file grows each time, or the edit is refused each time, or the same letter is sent again.
//! In Chinese: 连续 3 次相同的修改，不管结果如何，或 4 次相同的动作，如发消息；停止：6 次，或 8 次。
//! Must not find: an edit that is sent again after a look at the file because it was refused; edits
//! that differ, be it in white space.
//! The number: 3, one more than healthy sessions have; an act may be tried once more, and no healthy session of 3,138
//! has 4.

use serde::{Deserialize, Serialize};

use super::features::{CallFeatures, Step};
use super::history::History;
use super::run::{Limit, Run};
use super::step_rule::{Finding, StepRule, StepRuleInfo};
use crate::report::LoopType;
use crate::rules::RunUnderWay;

#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct RepeatedEdits {
    run: Run,
    /// True if the last edit was carried out.
    was_applied: bool,
    /// True if the run is of acts on the world.
    acts: bool,
    /// The last receipt of an act, but for its numbers.
    receipt: u64,
}

pub(super) const INFO: StepRuleInfo = StepRuleInfo {
    usual: 3,
    loop_type: LoopType::ConsecutiveIdenticalToolCalls,
    message: "{tool} was called {count} times in a row to do the same.",
    feedback: "You seem to be stuck: {message} It is done, or will not be. Look at what there is now, then go on with what is still missing.",
    // The calls alone say it.
    needs_every_result: false,
    ..StepRuleInfo::USUAL
};

impl RepeatedEdits {
    /// Something may be sent once more than it is edited.
    fn limit(&self, limit: u64) -> Limit {
        match self.acts {
            true => Limit {
                nudge: limit.saturating_add(1),
                patience: 4,
            },
            false => Limit::of_edits(limit),
        }
    }
}

impl StepRule for RepeatedEdits {
    /// Judged before the edit is made once more.
    fn at_call(&mut self, call: &CallFeatures, limit: u64) -> Option<Finding> {
        // Looking at what an edit did is no reason to make it again; looking why it was refused is.
        let goes_on = call.is_note || call.looks && self.was_applied;
        if goes_on {
            return None;
        }
        self.acts = call.acts;
        let changes = call.edits || call.acts && !call.waits;
        self.run.add(call.exact.filter(|_| changes), call);
        self.run.judge(self.limit(limit))
    }

    fn at_result(&mut self, step: &Step, _: &mut History, _: u64) -> Option<Finding> {
        let Step { call, result, .. } = step;
        let receipt = result.text_without_numbers;
        if call.acts && std::mem::replace(&mut self.receipt, receipt) != receipt {
            // Another answer than a receipt: something has changed.
            self.run = Run::default();
            self.run.add(call.exact, call);
        }
        if call.edits || call.acts {
            self.was_applied = if call.edits {
                result.acknowledges
            } else {
                !result.failed
            };
        }
        None
    }

    fn under_way(&self, limit: u64) -> Option<RunUnderWay> {
        Some(self.run.under_way(self.limit(limit)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::example::{self, Rule, told};
    use super::*;

    fn rule() -> Rule {
        example::rule("repeated_edits", 3)
    }

    fn edit(what: u64) -> Step {
        let mut step = example::step(what, 0);
        step.call.edits = true;
        step.result.acknowledges = true;
        step
    }

    #[test]
    fn the_same_edit_is_told_of_and_stopped() {
        let expected = ["", "", "nudge 3", "", "", "stop 6"];
        assert_eq!(told(&mut rule(), &vec![edit(1); 6]), expected);
    }

    #[test]
    fn another_edit_ends_the_run() {
        let steps = [edit(1), edit(1), edit(2), edit(1), edit(1)];
        assert_eq!(told(&mut rule(), &steps), [""; 5]);
    }

    #[test]
    fn looking_in_between_matters_only_after_a_refusal() {
        let mut look = example::step(9, 9);
        look.call.looks = true;
        let applied = [edit(1), look, edit(1), look, edit(1)];
        assert_eq!(told(&mut rule(), &applied), ["", "", "", "", "nudge 3"]);
        let mut refused = edit(1);
        refused.result.acknowledges = false;
        let refused = [refused, look, refused, look, refused];
        assert_eq!(told(&mut rule(), &refused), [""; 5]);
    }
}
