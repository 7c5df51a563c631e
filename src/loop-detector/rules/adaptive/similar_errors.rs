//! Finds: 6 different calls in a row that fail in the same words, names left out; a stop at 12. A harness rejects the
//! form of every reply; or it is a usage line, or a command that is not there.
//! Must not find: a search that finds nothing, and a check that finds no problem, which are no errors; different
//! errors; results in the same words that speak of no error (`5 lines changed`); equal calls, which other rules
//! judge.
//! The number: 6, one more than healthy sessions of sets A and B have: at 6 none of 1,469 is hit, at 5 one. It is the
//! first to speak in loops that others find as well.

use super::features::Step;
use super::history::History;
use super::run::{Limit, RunOfDifferentCalls};
use super::step_rule::{Finding, StepRule, StepRuleInfo};
use crate::LoopDetectorOptions;
use crate::report::LoopType;
use crate::rules::RunUnderWay;

#[derive(Debug, Clone)]
pub(super) struct SimilarErrors {
    limit: u64,
}

impl StepRule for SimilarErrors {
    type State = RunOfDifferentCalls;
    const INFO: &StepRuleInfo = &StepRuleInfo {
        usual: 6,
        loop_type: LoopType::RepeatedError,
        message: "{count} different calls in a row failed in the same words, the last of {tool}.",
        feedback: "You seem to be stuck: {message} Read what the error says about the form of the call, change that first, or use another tool.",
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
        let Step { call, result, .. } = step;
        let is_error = result.failed && !step.found_nothing();
        let key = if is_error { result.outline } else { None };
        run.add(key, call);
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
        example::rule::<SimilarErrors>(4)
    }

    /// An error with a name of its own in it.
    fn error(call: u64) -> Step {
        let mut step = example::step(call, call);
        step.result.outline = Some(1);
        step.result.failed = true;
        step
    }

    #[test]
    fn the_same_words_are_told_of_and_stopped() {
        let steps: Vec<Step> = (0..10).map(error).collect();
        let expected = ["", "", "", "nudge 4", "", "", "", "", "", "stop 10"];
        assert_eq!(told(&mut rule(), &steps), expected);
    }

    #[test]
    fn other_words_no_words_and_equal_calls_are_not_counted() {
        let mut other = error(7);
        other.result.outline = Some(2);
        let mut wordless = error(7);
        wordless.result.outline = None;
        for end in [other, wordless] {
            let steps = [error(1), error(2), error(3), end, error(4)];
            assert_eq!(told(&mut rule(), &steps), [""; 5]);
        }
        assert_eq!(told(&mut rule(), &vec![error(1); 6]), [""; 6]);
    }
}
