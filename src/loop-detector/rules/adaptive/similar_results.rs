//! Finds: 8 identical calls in a row whose results differ in numbers; never a stop.
//! In Chinese: 连续 8 次相同的调用，结果只有数字不同；不停止。
//! Must not find: a count or a share of progress that goes on for a few calls; calls that wait; what
//! does not change at all, which is for `repeated_results`.
//! The number: 8. It is never a stop, because a number may be all the progress that there is, as a position or the
//! mean of a benchmark is. With 5 no loop of the recorded sessions is found that others miss.

use serde::{Deserialize, Serialize};

use super::features::Step;
use super::history::History;
use super::run::{Limit, Run};
use super::step_rule::{Finding, StepRule, StepRuleInfo};
use crate::LoopDetectorOptions;
use crate::report::LoopType;
use turnkeeper_base::options::Threshold;

#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct SimilarResults {
    /// Steps that are equal but for numbers, ...
    similar: Run,
    /// and the last ones of them that are equal.
    equal: Run,
    /// At this many equal results `repeated_results` tells the model.
    #[serde(skip)]
    equal_results_limit: Option<u64>,
}

pub(super) const INFO: StepRuleInfo = StepRuleInfo {
    usual: 8,
    loop_type: LoopType::ConsecutiveIdenticalToolCalls,
    message: "{tool} was called {count} times in a row with the same arguments and only numbers in its \
              answer changed.",
    needs_every_result: true,
    ..StepRuleInfo::USUAL
};

impl StepRule for SimilarResults {
    fn with(options: &LoopDetectorOptions) -> Self {
        Self {
            equal_results_limit: options.repeated_results.and_then(Threshold::count),
            ..Self::default()
        }
    }

    fn fresh(&self) -> Self {
        self.going_on_from(Self::default()).unwrap_or_default()
    }

    fn going_on_from(&self, saved: Self) -> Option<Self> {
        Some(Self {
            equal_results_limit: self.equal_results_limit,
            ..saved
        })
    }

    fn at_result(&mut self, step: &Step, _: &mut History, limit: u64) -> Option<Finding> {
        if step.call.is_note && step.key.is_some() {
            return None;
        }
        let Self { similar, equal, .. } = self;
        let (key, key_without_numbers) = match step.call.waits {
            true => (None, None),
            false => (step.key, step.key_without_numbers),
        };
        similar.add(key_without_numbers, &step.call);
        equal.add(key, &step.call);
        if Some(equal.count()) == self.equal_results_limit {
            // The model was just told.
            similar.set_nudged();
            return None;
        }
        if similar.count() == equal.count() {
            return None;
        }
        let found = similar.judge(Limit::of_different(limit));
        found.filter(|found| !found.is_stop)
    }

    fn is_on_a_run(&self, _: u64) -> bool {
        self.similar.count() > 1
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::example::{self, Rule, told};
    use super::*;

    fn rule() -> Rule {
        example::rule_with(
            "similar_results",
            json!({ "similarResults": 5, "repeatedResults": 3 }),
        )
    }

    /// A result that is equal to the others but for a number.
    fn numbered(number: u64) -> Step {
        let mut step = example::step(1, number);
        step.key_without_numbers = Some(7);
        step
    }

    #[test]
    fn results_that_differ_in_numbers_are_told_of_once() {
        let steps: Vec<Step> = (0..11).map(numbered).collect();
        let expected = ["", "", "", "", "nudge 5", "", "", "", "", "", ""];
        assert_eq!(told(&mut rule(), &steps), expected);
    }

    #[test]
    fn equal_results_are_left_to_another_rule() {
        assert_eq!(told(&mut rule(), &vec![numbered(1); 9]), [""; 9]);
    }

    #[test]
    fn what_the_model_was_told_as_equal_results_is_not_told_again() {
        let mut steps = vec![numbered(1); 3];
        steps.extend((2..10).map(numbered));
        assert_eq!(told(&mut rule(), &steps), [""; 11]);
    }

    #[test]
    fn waiting_may_show_numbers_for_long() {
        let wait = |number| {
            let mut step = numbered(number);
            step.call.waits = true;
            step
        };
        let steps: Vec<Step> = (0..12).map(wait).collect();
        assert_eq!(told(&mut rule(), &steps), [""; 12]);
    }
}
