//! Finds: 3 identical calls in a row with the same result, 2 with the same words of the model before them, 6 that say
//! hardly more than that they were made ("Clicked Next"); a stop at 5, or 8. They bring nothing new.
//! In Chinese: 连续 3 次相同的调用，结果也相同，模型在前面说的话也相同的 2 次；只说做了（“Clicked Next”）的 6 次；停止：5 次，或 8 次。
//! Must not find: another result of the same call, which is progress; calls that wait; a button that leads on a few
//! times.
//! The number: 3, at which 1 of 1,404 recorded sessions without a loop was hit. Who says the same, does the same and gets
//! the same does not see that it was done: no healthy session of 3,062 in sets A to D has that twice, and 28 of 239 loops
//! have. What the user asked to repeat is announced alike, too, and takes all that it was asked for.

use serde::{Deserialize, Serialize};

use super::features::{CallFeatures, Step};
use super::history::History;
use super::run::{Limit, Run};
use super::step_rule::{Finding, StepRule, StepRuleInfo};
use crate::report::LoopType;
use crate::rules::RunUnderWay;

#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct RepeatedResults {
    run: Run,
    /// Notes have a run of their own, so that thinking between two calls does not part them.
    notes: Run,
    /// True if the last result says hardly more than that something was done.
    is_weak: bool,
    /// The words before the last call, 0 if there were none.
    said: u32,
    /// True if the second call of a run was announced as the first.
    is_said_again: bool,
}

pub(super) const INFO: StepRuleInfo = StepRuleInfo {
    usual: 3,
    loop_type: LoopType::ConsecutiveIdenticalToolCalls,
    message: "{tool} was called {count} times in a row with the same arguments and gave the same answer.",
    needs_every_result: true,
    ..StepRuleInfo::USUAL
};

impl RepeatedResults {
    /// A click that was made may have led on, so that it takes twice as many. The stop comes no sooner for the words.
    fn limit(&self, limit: u64) -> Limit {
        let usual = self.limit_of_notes(limit);
        match self.is_said_again && !self.is_weak && limit == INFO.usual {
            true => Limit {
                nudge: usual.nudge - 1,
                patience: usual.patience + 1,
            },
            false => usual,
        }
    }

    /// The same for notes, of which the words before them say nothing.
    fn limit_of_notes(&self, limit: u64) -> Limit {
        Limit::of_identical(limit.saturating_mul(1 + u64::from(self.is_weak)))
    }
}

impl StepRule for RepeatedResults {
    fn at_call(&mut self, call: &CallFeatures, _: u64) -> Option<Finding> {
        let is_same = call.said != 0 && call.said == self.said;
        self.is_said_again = is_same && self.run.count() == 1;
        self.said = call.said;
        None
    }

    /// A result in which only numbers change may be progress, and so is more than the same one.
    fn at_result(&mut self, step: &Step, history: &mut History, limit: u64) -> Option<Finding> {
        self.is_weak = step.is_weak();
        self.is_said_again &= !step.key.is_some_and(|key| history.was_told_of(key));
        let of_notes = self.limit_of_notes(limit);
        let usual = self.limit(limit);
        let (run, limit) = if step.call.is_note {
            (&mut self.notes, of_notes)
        } else {
            self.notes = Run::default();
            (&mut self.run, usual)
        };
        let key = if step.call.waits { None } else { step.key };
        run.add(key, &step.call);
        history.judge_repeats(run, step, limit)
    }

    fn under_way(&self, limit: u64) -> Option<RunUnderWay> {
        let run = self.run.under_way(self.limit(limit));
        let notes = self.notes.under_way(self.limit_of_notes(limit));
        RunUnderWay::nearest([run, notes].into_iter())
    }
}

#[cfg(test)]
mod tests {
    use super::super::example::{self, Rule, step, told};

    fn rule() -> Rule {
        example::rule("repeated_results", 3)
    }

    #[test]
    fn the_same_call_with_the_same_result_is_told_of_and_stopped() {
        let expected = ["", "", "nudge 3", "", "stop 5"];
        assert_eq!(told(&mut rule(), &vec![step(1, 1); 5]), expected);
    }

    #[test]
    fn the_same_words_before_it_are_told_of_sooner_and_stopped_no_sooner() {
        let mut said = step(1, 1);
        said.call.said = 7;
        let expected = ["", "nudge 2", "", "", "stop 5"];
        assert_eq!(told(&mut rule(), &[said; 5]), expected);
        let mut other = said;
        other.call.said = 8;
        assert_eq!(told(&mut rule(), &[said, other]), ["", ""]);
        // More was asked for.
        let mut raised = example::rule("repeated_results", 4);
        assert_eq!(told(&mut raised, &[said; 4]), ["", "", "", "nudge 4"]);
    }

    #[test]
    fn another_result_is_progress() {
        let steps = [step(1, 1), step(1, 1), step(1, 2), step(1, 1), step(1, 1)];
        assert_eq!(told(&mut rule(), &steps), [""; 5]);
    }

    #[test]
    fn going_back_to_what_was_told_of_is_a_stop_without_another_nudge() {
        let mut steps = vec![step(1, 1); 3];
        steps.push(step(2, 2));
        steps.extend(vec![step(1, 1); 3]);
        let expected = ["", "", "nudge 3", "", "", "", "stop 3"];
        assert_eq!(told(&mut rule(), &steps), expected);
    }

    #[test]
    fn notes_part_nothing_and_may_repeat_themselves() {
        let mut note = step(9, 9);
        note.call.is_note = true;
        let steps = [step(1, 1), note, step(1, 1), note, step(1, 1)];
        assert_eq!(told(&mut rule(), &steps), ["", "", "", "", "nudge 3"]);
        assert_eq!(told(&mut rule(), &vec![note; 3]), ["", "", "nudge 3"]);
    }

    #[test]
    fn a_missing_result_ends_the_run() {
        let mut rule = rule();
        assert_eq!(told(&mut rule, &[step(1, 1), step(1, 1)]), ["", ""]);
        rule.at_missing_result();
        assert_eq!(told(&mut rule, &[step(1, 1)]), [""]);
    }
}
