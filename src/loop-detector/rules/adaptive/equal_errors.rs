//! Finds: 4 different calls in a row, or calls with different numbers in their results, with the same short error; a
//! stop at 10. The tool is dead, or the model does not understand it.
//! Must not find: a search that finds nothing, which is no error; words of errors in long results;
//! equal calls with equal results, which other rules judge.
//! The number: 4; healthy sessions have 3.

use super::features::Step;
use super::history::History;
use super::run::{Limit, RunOfDifferentCalls};
use super::step_rule::{Finding, StepRule, StepRuleInfo};
use crate::LoopDetectorOptions;
use crate::report::LoopType;
use crate::rules::RunUnderWay;
use turnkeeper_base::text::hash::mixed;

#[derive(Debug, Clone)]
pub(super) struct EqualErrors {
    limit: u64,
}

impl StepRule for EqualErrors {
    type State = RunOfDifferentCalls;
    const INFO: &StepRuleInfo = &StepRuleInfo {
        usual: 4,
        loop_type: LoopType::RepeatedError,
        message: "{count} different calls in a row failed with the same error, the last of {tool}.",
        feedback: "You seem to be stuck: {message} The error does not depend on what you change. Read what it asks for and meet that first, use another tool, or ask the user.",
    };
    const NEEDS_EVERY_RESULT: bool = true;

    fn new(limit: u64, _: &LoopDetectorOptions) -> Self {
        Self { limit }
    }

    fn at_result(
        &self,
        run: &mut RunOfDifferentCalls,
        step: &Step,
        _: &mut History,
    ) -> Option<Finding> {
        if step.is_mere_note() {
            return None;
        }
        let result = &step.result;
        let is_error = result.failed && !step.found_nothing();
        let key = is_error.then_some(result.text_without_numbers);
        // Calls differ also if only the numbers in their errors do: "In [3], line 1".
        let mut call = step.call;
        call.call = call.call.map(|call| mixed(call, result.text));
        run.add(key, &call);
        run.judge(Limit::of_different(self.limit))
    }

    fn is_on_a_run(&self, run: &RunOfDifferentCalls) -> bool {
        run.has_begun()
    }

    fn under_way(&self, run: &RunOfDifferentCalls) -> Option<RunUnderWay> {
        run.under_way(Limit::of_different(self.limit))
    }
}

#[cfg(test)]
mod tests {
    use super::super::example::{self, Rule, told};
    use super::*;

    fn rule() -> Rule {
        example::rule::<EqualErrors>(4)
    }

    fn error(call: u64) -> Step {
        let mut step = example::step(call, 1);
        step.result.failed = true;
        step
    }

    #[test]
    fn one_error_of_different_calls_is_told_of_and_stopped() {
        let steps: Vec<Step> = (0..10).map(error).collect();
        let expected = ["", "", "", "nudge 4", "", "", "", "", "", "stop 10"];
        assert_eq!(told(&mut rule(), &steps), expected);
    }

    #[test]
    fn one_error_of_one_call_is_left_to_other_rules() {
        assert_eq!(told(&mut rule(), &vec![error(1); 9]), [""; 9]);
    }

    #[test]
    fn numbers_that_change_in_the_error_of_one_call_are_no_progress() {
        let steps: Vec<Step> = (0..4)
            .map(|number| {
                let mut step = error(1);
                step.result.text = number;
                step
            })
            .collect();
        assert_eq!(told(&mut rule(), &steps), ["", "", "", "nudge 4"]);
    }

    #[test]
    fn a_success_and_another_error_end_the_run() {
        let mut other = error(7);
        other.result.text_without_numbers = 2;
        for end in [example::step(7, 7), other] {
            let steps = [error(1), error(2), error(3), end, error(4)];
            assert_eq!(told(&mut rule(), &steps), [""; 5]);
        }
    }

    #[test]
    fn a_search_without_matches_is_no_error() {
        let search = |call| {
            let mut step = error(call);
            step.call.looks = true;
            step.result.is_fruitless = true;
            step
        };
        let steps: Vec<Step> = (0..6).map(search).collect();
        assert_eq!(told(&mut rule(), &steps), [""; 6]);
    }
}
