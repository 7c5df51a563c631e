//! Finds: one call of a tool after another with the same long result: fixes that leave the same test failing, forms
//! that are rejected in a long text.
//! Must not find: short results, which many healthy calls share ("HTTP/2 200"); commands, which may have a long
//! banner; searches, edits and waits, which have rules of their own; identical calls.
//! The number: 5, one more than healthy sessions have. It is off unless a host sets it: the 4 loops of 195 that it finds
//! alone are all of one agent.

use super::features::Step;
use super::history::History;
use super::run::{Limit, RunOfDifferentCalls};
use super::step_rule::{self, Finding, StepRule, StepRuleInfo};
use crate::LoopDetectorOptions;
use crate::report::{LoopType, RuleName};
use crate::rules::{RuleInfo, RunUnderWay};
use turnkeeper_base::snapshot::Corrupt;
use turnkeeper_base::text::hash::mixed;

const INFO: StepRuleInfo = StepRuleInfo {
    rule: RuleInfo {
        name: RuleName::EqualResults,
        options: &["equalResults"],
    },
    loop_type: LoopType::SameToolDifferentArguments,
    message: "{count} different calls of {tool} in a row gave the same long answer.",
    feedback: "You seem to be stuck: {message} What you change does not matter to it. Find out what the answer depends on, or try another way.",
};

#[derive(Debug, Clone)]
pub(super) struct EqualResults {
    limit: u64,
    run: RunOfDifferentCalls,
}

impl StepRule for EqualResults {
    fn from_options(options: &LoopDetectorOptions) -> Option<Self> {
        Some(Self {
            limit: options.equal_results?.count()?,
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
        let is_judged =
            !(result.is_short || call.edits || call.looks || call.waits || call.runs_command);
        let key = is_judged.then(|| mixed(call.tool, result.text));
        self.run.add(key, call);
        self.run.judge(Limit::of_different(self.limit))
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

    fn under_way(&self) -> Option<RunUnderWay> {
        self.run.under_way(Limit::of_different(self.limit))
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

    fn rule() -> EqualResults {
        let options = LoopDetectorOptions {
            equal_results: Some(Threshold::At(3)),
            ..LoopDetectorOptions::default()
        };
        EqualResults::from_options(&options).expect("it is on")
    }

    #[test]
    fn one_long_result_of_different_calls_is_told_of_and_stopped() {
        let steps: Vec<Step> = (0..9).map(|call| example::step(call, 1)).collect();
        let expected = ["", "", "nudge 3", "", "", "", "", "", "stop 9"];
        assert_eq!(told(&mut rule(), &steps), expected);
    }

    #[test]
    fn short_results_other_tools_and_searches_are_no_run() {
        let mut short = example::step(9, 1);
        short.result.is_short = true;
        let mut look = example::step(9, 1);
        look.call.looks = true;
        let mut other_tool = example::step(9, 1);
        other_tool.call.tool = 7;
        for end in [short, look, other_tool] {
            let steps = [
                example::step(1, 1),
                example::step(2, 1),
                end,
                example::step(3, 1),
            ];
            assert_eq!(told(&mut rule(), &steps), [""; 4]);
        }
    }
}
