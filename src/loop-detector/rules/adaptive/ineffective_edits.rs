//! Finds: one call with one result 6 times within 20, with an edit before each; never a stop. The edits do not touch
//! what it shows.
//! In Chinese: 20 次调用之内，同样的调用和结果出现 6 次，每次之前都有修改；不停止。
//! Must not find: tests that pass after every edit; a command whose result changes; looks.
//! The number: 6; of 1,469 healthy sessions of sets A and B, 11 have 3 such repeats, 4 have 4 and none 5; tests that
//! pass may show the same 5 times. It alone finds 1 loop of 119. A nudge, never a stop.

use serde::{Deserialize, Serialize};

use super::features::Step;
use super::history::History;
use super::step_rule::{Finding, StepRule, StepRuleInfo};
use crate::report::LoopType;

#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct IneffectiveEdits;

pub(super) const INFO: StepRuleInfo = StepRuleInfo {
    usual: 6,
    loop_type: LoopType::RepeatedToolCycle,
    message: "{tool} gave the same answer {count} times although something was changed before each.",
    feedback: "You seem to be stuck: {message} What you change does not reach what it runs. Check that it runs the file you edit, print what happens inside, or look for the cause elsewhere.",
    // The steps before it are as near as they were.
    needs_every_result: false,
    ..StepRuleInfo::USUAL
};

impl StepRule for IneffectiveEdits {
    fn at_result(&mut self, step: &Step, history: &mut History, limit: u64) -> Option<Finding> {
        let Step { call, result, .. } = step;
        let key = step.key?;
        let may_show = |step: &Step| !(step.call.edits || step.call.looks || step.call.waits);
        if !may_show(step) || result.acknowledges || step.is_mere_note() || history.was_told_of(key)
        {
            return None;
        }
        let mut count = 0;
        let mut first = call.index;
        // True if the later of two equal steps has an edit before it.
        let mut was_edited = true;
        for other in history.newest_first() {
            if other.key == Some(key) {
                if was_edited {
                    count += 1;
                    first = other.call.index;
                }
                was_edited = false;
            } else if other.call.call == call.call {
                // The same call had another result.
                break;
            } else if other.call.edits {
                was_edited = true;
            }
        }
        if count < limit {
            return None;
        }
        history.set_told_of(key);
        Some(Finding::nudge(limit, count, first))
    }
}

#[cfg(test)]
mod tests {
    use super::super::example::{self, Rule, step, told};
    use super::*;

    fn rule() -> Rule {
        example::rule("ineffective_edits", 3)
    }

    fn edit(what: u64) -> Step {
        let mut edit = step(what, 0);
        edit.call.edits = true;
        edit.result.acknowledges = true;
        edit
    }

    /// A run after each of some edits, with these results.
    fn runs(results: &[u64]) -> Vec<Step> {
        let round = |(at, result): (usize, &u64)| [edit(at as u64 + 10), step(1, *result)];
        results.iter().enumerate().flat_map(round).collect()
    }

    #[test]
    fn the_same_result_after_each_edit_is_told_of_once() {
        let expected = ["", "", "", "", "", "nudge 3", "", "", "", ""];
        assert_eq!(told(&mut rule(), &runs(&[1; 5])), expected);
    }

    #[test]
    fn another_result_is_an_effect() {
        assert_eq!(told(&mut rule(), &runs(&[1, 1, 2, 1, 1])), [""; 10]);
    }

    #[test]
    fn without_edits_and_of_success_nothing_is_said() {
        assert_eq!(told(&mut rule(), &vec![step(1, 1); 6]), [""; 6]);
        let mut steps = runs(&[1; 4]);
        for step in &mut steps {
            step.result.acknowledges = true;
        }
        assert_eq!(told(&mut rule(), &steps), [""; 8]);
    }
}
