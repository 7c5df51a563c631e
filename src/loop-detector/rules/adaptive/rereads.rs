//! Finds: reading and searching that shows nothing but lines that were seen before: one file in windows that
//! overlap, the same places found by other words.
//! Must not find: a file that is read to its end; reading again after an edit; equal calls, which other rules
//! judge.
//! The number: 6; no healthy recorded session of 2,522 has as many, and one of 130 made-up ones. A nudge, never a stop.

use super::features::Step;
use super::history::History;
use super::run::{Limit, RunOfDifferentCalls};
use super::step_rule::{self, Finding, StepRule, StepRuleInfo};
use crate::LoopDetectorOptions;
use crate::report::{LoopType, RuleName};
use crate::rules::RuleInfo;
use turnkeeper_base::snapshot::Corrupt;

const INFO: StepRuleInfo = StepRuleInfo {
    rule: RuleInfo {
        name: RuleName::Rereads,
        options: &["rereads"],
    },
    loop_type: LoopType::SameToolDifferentArguments,
    message: "{count} times in a row only lines were read that had been read before, the last of them by {tool}.",
    feedback: "You seem to be stuck: {message} You have seen all of it. Write down in a few lines what it says, and make the next change or look at something that you have not seen.",
};

/// Whatever is read again, it is one run.
const SEEN: u64 = 0;

#[derive(Debug, Clone)]
pub(super) struct Rereads {
    limit: u64,
    run: RunOfDifferentCalls,
}

impl StepRule for Rereads {
    fn from_options(options: &LoopDetectorOptions) -> Option<Self> {
        Some(Self {
            limit: options.rereads?.count()?,
            run: RunOfDifferentCalls::default(),
        })
    }

    fn info() -> &'static StepRuleInfo {
        &INFO
    }

    fn at_result(&mut self, step: &Step, _: &mut History) -> Option<Finding> {
        if step.is_mere_note() {
            return None;
        }
        let Step { call, result, .. } = step;
        if step.found_nothing() {
            return None;
        }
        let shows_nothing_new = call.looks && result.is_seen && !result.failed;
        self.run.add(shows_nothing_new.then_some(SEEN), call);
        let found = self.run.judge(Limit::of_different(self.limit));
        found.filter(|found| !found.is_stop)
    }

    fn missing_result(&mut self) {
        self.forget();
    }

    fn forget(&mut self) {
        self.run = RunOfDifferentCalls::default();
    }

    fn is_on_a_run(&self) -> bool {
        self.run.has_begun()
    }

    fn save(&self) -> Vec<u8> {
        step_rule::save(&self.run)
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), Corrupt> {
        step_rule::load(&mut self.run, saved)
    }
}

#[cfg(test)]
mod tests {
    use super::super::example::{self, told};
    use super::*;
    use turnkeeper_base::options::Threshold;

    fn rule() -> Rereads {
        let options = LoopDetectorOptions {
            rereads: Some(Threshold::At(3)),
            ..LoopDetectorOptions::default()
        };
        Rereads::from_options(&options).expect("it is on")
    }

    fn look(call: u64, is_seen: bool) -> Step {
        let mut step = example::step(call, call);
        step.call.looks = true;
        step.result.is_seen = is_seen;
        step
    }

    #[test]
    fn reading_what_was_read_is_told_of_once() {
        let steps: Vec<Step> = (0..9).map(|call| look(call, true)).collect();
        let expected = ["", "", "nudge 3", "", "", "", "", "", ""];
        assert_eq!(told(&mut rule(), &steps), expected);
    }

    #[test]
    fn something_new_and_other_work_end_the_run() {
        let mut failed = look(7, true);
        failed.result.failed = true;
        for end in [look(7, false), example::step(7, 7), failed] {
            let steps = [
                look(1, true),
                look(2, true),
                end,
                look(3, true),
                look(4, true),
            ];
            assert_eq!(told(&mut rule(), &steps), [""; 5]);
        }
        assert_eq!(told(&mut rule(), &vec![look(1, true); 6]), [""; 6]);
    }
}
