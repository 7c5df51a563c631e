//! Finds: 5 calls in a row that only print text with `echo`; 10 that only note a thought or a plan; 4 that say that the
//! work is done, with none in between; a stop at 11; never; 10. The model talks to itself instead of working or of
//! answering.
//! In Chinese: 连续 5 次调用只用 `echo` 打印文字；只记下想法或计划的 10 次；中间没有干活、又说完成的 4 次；停止：11 次；从不；10 次。
//! Must not find: an `echo` beside another command, before a pipe or into a file; one that prints what a
//! variable, a pattern or another command gives; a heading or two between commands.
//! The number: 5; healthy recorded sessions have at most 2 in a row, those with a loop 14 and more. Of notes twice
//! as many, and never a stop: a healthy made-up session thinks in 8 steps.

use serde::{Deserialize, Serialize};

use super::features::CallFeatures;
use super::finding::Finding;
use super::run::{Limit, Run};
use super::step_rule::{StepRule, StepRuleInfo};
use crate::report::LoopType;
use crate::rules::RunUnderWay;

/// Whatever is said, it is one run.
const TALKING: u64 = 0;

#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct EchoCalls {
    printing: Run,
    notes: Run,
    /// Calls that say that the work is done, with no work in between.
    closings: Run,
}

pub(super) const INFO: StepRuleInfo = StepRuleInfo {
    usual: 5,
    loop_type: LoopType::SameToolDifferentArguments,
    message: "{count} calls in a row only print or note something, the last of {call}.",
    feedback: "You seem to be stuck: {message} {held}That does no work. Write to the user what you have to say, then take the next step, or finish.",
    // The calls alone say it.
    needs_every_result: false,
    ..StepRuleInfo::USUAL
};

/// The work is done once, or once more after a look.
fn limit_of_closings(limit: u64) -> Limit {
    Limit::of_different(limit.saturating_sub(1).max(2))
}

impl StepRule for EchoCalls {
    /// Judged when the call is made: the model knows what it prints. Notes in between do not matter.
    fn at_call(&mut self, call: &CallFeatures, limit: u64) -> Option<Finding> {
        let Self {
            printing,
            notes,
            closings,
        } = self;
        if call.closes {
            closings.add(Some(TALKING), call);
            return closings.judge(limit_of_closings(limit));
        }
        notes.add(call.is_note.then_some(TALKING), call);
        if call.is_note {
            let found = notes.judge(Limit::of_different(limit.saturating_mul(2)));
            return found.and_then(Finding::if_mere_hint);
        }
        *closings = Run::default();
        printing.add(call.only_prints.then_some(TALKING), call);
        printing.judge(Limit::of_different(limit))
    }

    fn under_way(&self, limit: u64) -> Option<RunUnderWay> {
        let Self {
            printing,
            notes,
            closings,
        } = self;
        let printing = printing.under_way(Limit::of_different(limit));
        // Once the model was told, more notes change nothing.
        let of_notes = notes.under_way(Limit::of_different(limit.saturating_mul(2)));
        let notes = (!notes.was_nudged()).then_some(of_notes);
        let closings = Some(closings.under_way(limit_of_closings(limit)));
        RunUnderWay::nearest([Some(printing), notes, closings].into_iter().flatten())
    }
}

#[cfg(test)]
mod tests {
    use super::super::example::{self, Rule, told};
    use super::super::features::Step;

    fn rule() -> Rule {
        example::rule("echo_calls", 5)
    }

    fn echo(call: u64) -> Step {
        let mut step = example::step(call, call);
        step.call.only_prints = true;
        step
    }

    #[test]
    fn printing_alone_is_told_of_and_stopped_whatever_is_printed() {
        let different: Vec<Step> = (0..11).map(echo).collect();
        let expected = ["", "", "", "", "nudge 5", "", "", "", "", "", "stop 11"];
        assert_eq!(told(&mut rule(), &different), expected);
        assert_eq!(told(&mut rule(), &[echo(1); 11]), expected);
    }

    #[test]
    fn notes_alone_are_told_of_once_at_twice_the_number() {
        let note = |call| {
            let mut step = example::step(call, call);
            step.call.is_note = true;
            step
        };
        let mut notes: Vec<Step> = (0..30).map(note).collect();
        let places = |steps: &[Step]| {
            let told = told(&mut rule(), steps).into_iter().enumerate();
            told.filter(|(_, told)| !told.is_empty())
                .collect::<Vec<_>>()
        };
        assert_eq!(places(&notes), [(9, "nudge 10".to_owned())]);
        for at in [9, 18, 27] {
            notes.insert(at, example::step(at as u64, 0));
        }
        assert_eq!(places(&notes), []);
    }

    #[test]
    fn another_call_ends_the_run() {
        let mut steps: Vec<Step> = (0..4).map(echo).collect();
        steps.push(example::step(9, 9));
        steps.extend((0..4).map(echo));
        assert_eq!(told(&mut rule(), &steps), [""; 9]);
    }

    #[test]
    fn a_note_and_a_missing_result_in_between_do_not_matter() {
        let mut rule = rule();
        let mut note = example::step(9, 9);
        note.call.is_note = true;
        let steps = [echo(1), note, echo(2)];
        assert_eq!(told(&mut rule, &steps), [""; 3]);
        rule.at_missing_result();
        let steps = [echo(3), echo(4), echo(5)];
        assert_eq!(told(&mut rule, &steps), ["", "", "nudge 5"]);
    }
}
