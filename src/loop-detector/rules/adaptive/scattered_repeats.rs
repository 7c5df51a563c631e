//! Finds: one call and result 5 times within 20, with others in between; never a stop.
//! In Chinese: 20 次调用之内，同样的调用和结果出现 5 次，中间有别的调用；不停止。
//! Must not find: what is run again because something was changed; waiting; acknowledgements; a call that gave another
//! answer in between.
//! The number: 5 within 20 steps, one more than healthy sessions have. A nudge, never a stop.

use serde::{Deserialize, Serialize};

use super::features::Step;
use super::history::History;
use super::step_rule::{Finding, StepRule, StepRuleInfo};
use crate::report::LoopType;

/// Numbers of steps, 0 for none.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct ScatteredRepeats {
    /// The last step that went on by one.
    moved_at: u64,
    /// The last step that waited.
    waited_at: u64,
    /// The last step that waited or changed something in a new way: what is run after it verifies that.
    changed_at: u64,
}

pub(super) const INFO: StepRuleInfo = StepRuleInfo {
    usual: 5,
    loop_type: LoopType::RepeatedToolCycle,
    message: "{tool} was called {count} times with the same arguments and gave the same answer, with \
              other calls in between.",
    feedback: "You seem to be stuck: {message} The answer has not changed. Use what it says, write down what matters of it, and look at something that you have not seen.",
    // The steps before it are as near as they were.
    needs_every_result: false,
    also_reads: &["scatteredWindow"],
    ..StepRuleInfo::USUAL
};

impl StepRule for ScatteredRepeats {
    fn at_result(&mut self, step: &Step, history: &mut History, limit: u64) -> Option<Finding> {
        if step.is_mere_note() {
            return None;
        }
        let Step { call, result, .. } = step;
        let pauses = call.waits && !call.moves;
        if pauses {
            self.waited_at = step.number;
        }
        if pauses || result.acknowledges && step.is_new {
            self.changed_at = step.number;
        }
        let is_other =
            |other: &&Step| other.call.call == call.call && other.result.text != result.text;
        let other = history.newest_first().find(is_other);
        if call.runs_command && !call.looks && !result.failed && other.is_some() {
            // It goes on by one, as `git bisect` does, and what is run after it is about another thing.
            self.moved_at = step.number;
        }
        let key = step.key?;
        if call.edits
            || call.waits
            || result.acknowledges
            || step.is_weak()
            || history.was_told_of(key)
        {
            return None;
        }
        // A change is a reason to run something again, but none to read it or to fail again.
        let since = match (call.looks, result.failed) {
            (true, _) => self.waited_at,
            (false, true) => self.waited_at.max(self.moved_at),
            (false, false) => self.changed_at.max(self.moved_at),
        };
        // A call that gave another answer in between may give another again.
        let since = since.max(other.map_or(0, |other| other.number));
        let is_repeat = |other: &&Step| other.key == Some(key) && other.number > since;
        // Calls of one request count once.
        let mut count = 0;
        let mut last_request = None;
        for repeat in history.newest_first().filter(is_repeat) {
            let request = Some(repeat.call.request);
            count += u64::from(last_request != request);
            last_request = request;
        }
        let first = history
            .newest_first()
            .filter(is_repeat)
            .map(|other| other.call.index)
            .min();
        if count < limit {
            return None;
        }
        history.set_told_of(key);
        Some(Finding::nudge(limit, count, first.unwrap_or(call.index)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::example::{self, Rule, step, told};
    use super::*;

    fn rule() -> Rule {
        example::rule("scattered_repeats", 3)
    }

    #[test]
    fn repeats_with_others_in_between_are_told_of_once() {
        let steps: Vec<Step> = (2..8)
            .flat_map(|other| [step(1, 1), step(other, 2)])
            .collect();
        let told = told(&mut rule(), &steps);
        assert_eq!(told[4], "nudge 3");
        assert_eq!(told.iter().filter(|told| !told.is_empty()).count(), 1);
    }

    #[test]
    fn what_is_run_again_after_a_change_is_not_counted_on() {
        let edit = |what| {
            let mut edit = step(what, 2);
            edit.call.edits = true;
            edit.result.acknowledges = true;
            edit
        };
        let steps: Vec<Step> = (2..8).flat_map(|other| [step(1, 1), edit(other)]).collect();
        assert_eq!(told(&mut rule(), &steps), [""; 12]);
        // But to read what was read before is nothing new.
        let mut look = step(1, 1);
        look.call.looks = true;
        let steps: Vec<Step> = (2..8).flat_map(|other| [look, edit(other)]).collect();
        assert_eq!(told(&mut rule(), &steps)[4], "nudge 3");
    }

    #[test]
    fn what_is_run_after_a_step_of_a_bisection_is_about_another_thing() {
        let bisect = |answer| {
            let mut bisect = step(2, answer);
            bisect.call.runs_command = true;
            bisect
        };
        let mut fails = step(1, 1);
        fails.result.failed = true;
        let steps: Vec<Step> = (10..18).flat_map(|at| [fails, bisect(at)]).collect();
        assert_eq!(told(&mut rule(), &steps), [""; 16]);
        // But not what is read.
        let mut look = step(1, 1);
        look.call.looks = true;
        let steps: Vec<Step> = (10..18).flat_map(|at| [look, bisect(at)]).collect();
        assert_eq!(told(&mut rule(), &steps)[4], "nudge 3");
    }

    #[test]
    fn what_gave_another_answer_in_between_may_give_another_again() {
        let steps = [step(1, 1), step(1, 1), step(1, 2)].repeat(4);
        assert_eq!(told(&mut rule(), &steps), [""; 12]);
    }

    #[test]
    fn an_edit_and_waiting_are_left_to_other_rules() {
        let mut wait = step(1, 1);
        wait.call.waits = true;
        let steps: Vec<Step> = (2..8).flat_map(|other| [wait, step(other, 2)]).collect();
        assert_eq!(told(&mut rule(), &steps), [""; 12]);
    }
}
