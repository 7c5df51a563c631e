//! Finds: 8 refused edits in a row, with nothing in between but reading and what fails; 5 that are refused in the
//! same words; a stop at 14, or 11. The looks in between do not help.
//! In Chinese: 连续 8 次修改被拒绝，中间只有读取和失败的调用；以同样的措辞被拒绝的 5 次；停止：14 次，或 11 次。
//! Must not find: an edit that is refused and then made in another way; edits of one request.
//! The number: 8; healthy sessions of sets A and B get out of up to 7 refusals. With `resent_edits` it finds what
//! failing edits in long words hid: 3 loops of 119, no healthy session of 1,469. In the same words one more than
//! half as many, 5: no healthy session has 4.

use serde::{Deserialize, Serialize};

use super::features::Step;
use super::history::History;
use super::run::{Limit, Run};
use super::step_rule::{Finding, StepRule, StepRuleInfo};
use crate::report::LoopType;
use crate::rules::RunUnderWay;

/// Whatever is refused, it is one run.
const REFUSED: u64 = 0;

#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct RefusedEdits {
    /// Edits that are refused in any words, ...
    any: Run,
    /// and those that are refused in the same ones.
    equal: Run,
}

/// At this many in the same words it speaks.
fn limit_of_equal(limit: u64) -> Limit {
    Limit::of_different(limit / 2 + 1)
}

pub(super) const INFO: StepRuleInfo = StepRuleInfo {
    usual: 8,
    loop_type: LoopType::RepeatedError,
    message: "{count} edits in a row were refused, the last of {tool}.",
    feedback: "You seem to be stuck: {message} Read the refusal and the lines of the file as they are now, make a smaller edit, or write the file anew.",
    needs_every_result: true,
    ..StepRuleInfo::USUAL
};

impl StepRule for RefusedEdits {
    fn at_result(&mut self, step: &Step, _: &mut History, limit: u64) -> Option<Finding> {
        // Nothing else was changed by what failed.
        let fails_otherwise = step.result.failed && !step.call.may_edit && !step.call.edits;
        if step.call.is_note || step.call.looks || fails_otherwise {
            return None;
        }
        let Self { any, equal } = self;
        let refuses = step.result.refuses_edit;
        any.add(refuses.then_some(REFUSED), &step.call);
        equal.add(
            refuses.then_some(step.result.text_without_numbers),
            &step.call,
        );
        let found = [
            any.judge(Limit::of_different(limit)),
            equal.judge(limit_of_equal(limit)),
        ];
        // The model is told once of both.
        let found = found.into_iter().flatten();
        let told = found.max_by_key(|finding| finding.is_stop)?;
        any.set_nudged();
        equal.set_nudged();
        Some(told)
    }

    fn under_way(&self, limit: u64) -> Option<RunUnderWay> {
        let Self { any, equal } = self;
        let runs = [
            any.under_way(Limit::of_different(limit)),
            equal.under_way(limit_of_equal(limit)),
        ];
        RunUnderWay::nearest(runs.into_iter())
    }
}

#[cfg(test)]
mod tests {
    use super::super::example::{self, Rule, told};
    use super::*;

    fn rule() -> Rule {
        example::rule("refused_edits", 3)
    }

    fn refused(what: u64) -> Step {
        let mut step = example::step(what, what);
        step.call.edits = true;
        step.result.refuses_edit = true;
        step
    }

    #[test]
    fn refused_edits_are_told_of_and_stopped_with_looks_and_failures_between_or_not() {
        let steps: Vec<Step> = (0..9).map(refused).collect();
        let expected = ["", "", "nudge 3", "", "", "", "", "", "stop 9"];
        assert_eq!(told(&mut rule(), &steps), expected);
        let mut look = example::step(9, 9);
        look.call.looks = true;
        let mut failure = example::step(9, 9);
        failure.result.failed = true;
        for between in [look, failure] {
            let steps = [refused(1), between, refused(2), between, refused(3)];
            assert_eq!(told(&mut rule(), &steps), ["", "", "", "", "nudge 3"]);
        }
    }

    #[test]
    fn in_the_same_words_fewer_are_enough() {
        let mut rule = example::rule("refused_edits", 8);
        let steps: Vec<Step> = (0..11)
            .map(|call| Step::new(refused(call).call, refused(1).result, 0, true))
            .collect();
        let expected = ["", "", "", "", "nudge 5", "", "", "", "", "", "stop 11"];
        assert_eq!(told(&mut rule, &steps), expected);
    }

    #[test]
    fn a_stop_of_any_words_comes_before_a_nudge_of_the_same_ones() {
        let words = [1, 1, 2, 3, 4, 5, 6, 1, 1];
        let steps: Vec<Step> = words
            .into_iter()
            .zip(0..)
            .map(|(words, call)| Step::new(refused(call).call, refused(words).result, 0, true))
            .collect();
        let expected = ["", "nudge 2", "", "", "", "", "", "", "stop 9"];
        assert_eq!(told(&mut rule(), &steps), expected);
    }

    #[test]
    fn an_edit_that_is_made_and_a_call_that_does_not_fail_end_the_run() {
        let mut made = refused(7);
        made.result.refuses_edit = false;
        for end in [made, example::step(9, 9)] {
            let steps = [refused(1), refused(2), end, refused(3), refused(4)];
            assert_eq!(told(&mut rule(), &steps), [""; 5]);
        }
    }
}
