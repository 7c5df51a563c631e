//! Finds: waiting, scrolling or stepping on without anything that changes.
//! Must not find: polling that gets somewhere; a page that is scrolled down.
//! The number: 10; a silent build is asked 6 to 8 times in healthy sessions. Twice as often where each call
//! pauses by itself, since remote checks take a quarter of an hour; half as often where it fails, since an
//! element that is gone does not come by clicking. From 8 to 20 the number finds the same loops of sets A and B.

use super::features::Step;
use super::history::History;
use super::run::Run;
use super::step_rule::{self, Finding, StepRule, StepRuleInfo};
use crate::loop_detector::LoopDetectorOptions;
use crate::loop_detector::report::{LoopType, RuleName};
use crate::loop_detector::rules::{RuleInfo, RunUnderWay};
use crate::snapshot::Corrupt;

const INFO: StepRuleInfo = StepRuleInfo {
    rule: RuleInfo {
        name: RuleName::RepeatedWaits,
        options: &["repeatedWaits"],
        finds: "identical calls in a row that wait, scroll or step, with the same result",
    },
    loop_type: LoopType::ConsecutiveIdenticalToolCalls,
    message: "{tool} was called {count} times in a row and nothing changed.",
    feedback: "You seem to be stuck: {message} Wait once, for longer, or find out what it waits for.",
};

#[derive(Debug, Clone)]
pub(super) struct RepeatedWaits {
    limit: u64,
    run: Run,
}

impl RepeatedWaits {
    /// How often a call that waits like this one may change nothing.
    fn patience(&self, step: &Step) -> u64 {
        match (step.call.sleeps, step.result.failed) {
            (true, _) => self.limit.saturating_mul(2),
            (false, true) => self.limit.div_ceil(2),
            (false, false) => self.limit,
        }
    }
}

impl StepRule for RepeatedWaits {
    fn from_options(options: &LoopDetectorOptions) -> Option<Self> {
        Some(Self {
            limit: options.repeated_waits?.count()?,
            run: Run::default(),
        })
    }

    fn info() -> &'static StepRuleInfo {
        &INFO
    }

    fn at_result(&mut self, step: &Step, history: &mut History) -> Option<Finding> {
        if step.call.is_note {
            return None;
        }
        let key = if step.call.waits { step.key } else { None };
        self.run.add(key, &step.call);
        let limit = self.patience(step);
        history.judge_repeats(&mut self.run, step, limit)
    }

    fn missing_result(&mut self) {
        self.forget();
    }

    fn forget(&mut self) {
        self.run = Run::default();
    }

    fn under_way(&self) -> Option<RunUnderWay> {
        Some(self.run.under_way(self.limit))
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
    use crate::options::Threshold;

    fn rule() -> RepeatedWaits {
        let options = LoopDetectorOptions {
            repeated_waits: Some(Threshold::At(4)),
            ..LoopDetectorOptions::default()
        };
        RepeatedWaits::from_options(&options).expect("it is on")
    }

    fn wait(result: u64) -> Step {
        let mut step = example::step(1, result);
        step.call.waits = true;
        step
    }

    #[test]
    fn waiting_in_vain_is_told_of_and_stopped() {
        let steps = vec![wait(1); 6];
        let expected = ["", "", "", "nudge 4", "", "stop 6"];
        assert_eq!(told(&mut rule(), &steps), expected);
    }

    #[test]
    fn a_pause_is_waited_for_longer_and_a_failure_shorter() {
        let mut pause = wait(1);
        pause.call.sleeps = true;
        let expected = ["", "", "", "", "", "", "", "nudge 8", "", "", "", "stop 12"];
        assert_eq!(told(&mut rule(), &[pause; 12]), expected);
        let mut failure = wait(1);
        failure.result.failed = true;
        let expected = ["", "nudge 2", "", "stop 4"];
        assert_eq!(told(&mut rule(), &[failure; 4]), expected);
    }

    #[test]
    fn a_change_and_another_call_end_the_run() {
        let change = [wait(1), wait(1), wait(1), wait(2), wait(1)];
        assert_eq!(told(&mut rule(), &change), [""; 5]);
        let other = [wait(1), wait(1), wait(1), example::step(2, 2), wait(1)];
        assert_eq!(told(&mut rule(), &other), [""; 5]);
    }
}
