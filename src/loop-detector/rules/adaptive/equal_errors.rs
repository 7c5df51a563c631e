//! Finds: 4 different calls in a row, or calls with different numbers in their results, with the same error, or 6
//! that fail in the same words, names left out; a stop at 10, or 12. The tool is dead, or the model does not
//! understand it; a harness rejects the form of every reply; or it is a usage line, or a command that is not there.
//! In Chinese: 连续 4 次不同的调用（或结果中数字不同的调用）得到同一个错误，或 6 次以同样的措辞失败（名称不计）；停止：10 次，或 12 次。
//! Must not find: a search that finds nothing, and a check that finds no problem, which are no errors; different
//! errors; words of errors in the middle of long results; results in the same words that speak of no error (`5 lines changed`);
//! equal calls with equal results, which other rules judge.
//! The number: 4; healthy sessions have 3. It is 6 in the same words, one more than healthy sessions of sets A and B
//! have: at 6 none of 1,469 is hit, at 5 one.

use serde::{Deserialize, Serialize};

use super::features::Step;
use super::finding::Finding;
use super::history::History;
use super::run::{Limit, RunOfDifferentCalls};
use super::step_rule::{StepRule, StepRuleInfo};
use crate::report::LoopType;
use crate::rules::RunUnderWay;
use turnkeeper_base::text::hash::mixed;

/// Errors that only have their words in common have to come this often.
const IN_THE_SAME_WORDS: u64 = 6;

#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct EqualErrors {
    /// Calls with the same error, ...
    equal: RunOfDifferentCalls,
    /// and those whose errors are the same but for names.
    in_the_same_words: RunOfDifferentCalls,
}

/// At this many in the same words it speaks.
fn in_the_same_words_at(limit: u64) -> Limit {
    Limit::of_different(limit.max(IN_THE_SAME_WORDS))
}

pub(super) const INFO: StepRuleInfo = StepRuleInfo {
    usual: 4,
    loop_type: LoopType::RepeatedError,
    message: "{count} different calls in a row failed with the same error{answer}, the last of {call}.",
    feedback: "You seem to be stuck: {message} The error does not depend on what you change. Read what it asks for and meet that first, use another tool, or ask the user.",
    ..StepRuleInfo::USUAL
};

impl StepRule for EqualErrors {
    fn at_result(&mut self, step: &Step, _: &mut History, limit: u64) -> Option<Finding> {
        if step.is_mere_note() {
            return None;
        }
        let Step { call, result, .. } = step;
        let is_error = result.failed && !step.found_nothing();
        // Calls differ also if only the numbers in their errors do: "In [3], line 1".
        let mut with_numbers = *call;
        with_numbers.call = call.call.map(|call| mixed(call, result.text));
        let Self {
            equal,
            in_the_same_words,
        } = self;
        // A long result is the same error only as a whole.
        let is_equal_error = is_error || result.tells_of_error;
        equal.add(
            is_equal_error.then_some(result.text_without_numbers),
            &with_numbers,
        );
        in_the_same_words.add(result.outline.filter(|_| is_error), call);
        // Both may be told of at once.
        let found = [
            in_the_same_words.judge(in_the_same_words_at(limit)),
            equal.judge(Limit::of_different(limit)),
        ];
        found
            .into_iter()
            .flatten()
            .max_by_key(|found| found.is_stop)
    }

    fn is_on_a_run(&self, _: u64) -> bool {
        self.equal.has_begun() || self.in_the_same_words.has_begun()
    }

    fn under_way(&self, limit: u64) -> Option<RunUnderWay> {
        let runs = [
            self.equal.under_way(Limit::of_different(limit)),
            self.in_the_same_words
                .under_way(in_the_same_words_at(limit)),
        ];
        RunUnderWay::nearest(runs.into_iter().flatten())
    }
}

#[cfg(test)]
mod tests {
    use super::super::example::{self, Rule, told};
    use super::*;

    fn rule() -> Rule {
        example::rule("equal_errors", 4)
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

    /// An error with a name of its own in it.
    fn error_about(name: u64) -> Step {
        let mut step = error(name);
        step.result.text_without_numbers = name;
        step.result.outline = Some(1);
        step
    }

    #[test]
    fn the_same_words_are_told_of_and_stopped_later() {
        let steps: Vec<Step> = (0..12).map(error_about).collect();
        let told = told(&mut rule(), &steps);
        let expected = [vec![""; 5], vec!["nudge 6"], vec![""; 5], vec!["stop 12"]];
        assert_eq!(told, expected.concat());
    }

    #[test]
    fn other_words_and_no_words_end_the_run_and_equal_calls_are_not_counted() {
        let mut other = error_about(17);
        other.result.outline = Some(2);
        let mut wordless = error_about(17);
        wordless.result.outline = None;
        for end in [other, wordless] {
            let mut steps: Vec<Step> = (0..5).map(error_about).collect();
            steps.extend([end, error_about(5)]);
            assert_eq!(told(&mut rule(), &steps), [""; 7]);
        }
        assert_eq!(told(&mut rule(), &vec![error_about(1); 8]), [""; 8]);
    }
}
