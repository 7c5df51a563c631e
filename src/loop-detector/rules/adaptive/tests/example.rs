//! Made-up steps, and what a rule says of them.

use serde_json::Value;

use super::features::{CallFeatures, ResultFeatures, Step};
use super::finding::Finding;
use super::history::History;
use super::list::{STEP_RULES, StepRuleEntry};
use super::step_rule::ActiveRule;
use crate::LoopDetectorOptions;
use turnkeeper_base::options::{Count, Threshold};

pub(super) type Rule = ActiveRule;

impl Rule {
    pub(super) fn at_call(&mut self, call: &CallFeatures) -> Option<Finding> {
        self.rule.at_call(call, self.limit)
    }

    pub(super) fn at_result(&mut self, step: &Step, history: &mut History) -> Option<Finding> {
        self.rule.at_result(step, history, self.limit)
    }
}

/// The rule of this name at a number, which switches it on.
pub(super) fn rule(name: &str, number: u64) -> Rule {
    let mut options = LoopDetectorOptions::default();
    let entry = entry(name);
    *(entry.option)(&mut options) = Count::new(number).map(Threshold::At);
    entry.active(&mut options).expect("it is on")
}

/// The rule of this name with these options, which switch it on.
pub(super) fn rule_with(name: &str, options: Value) -> Rule {
    let mut options = LoopDetectorOptions::from_value(&options).expect("options");
    entry(name).active(&mut options).expect("it is on")
}

fn entry(name: &str) -> &'static StepRuleEntry {
    let mut entries = STEP_RULES.iter();
    let entry = entries.find(|entry| entry.name.to_string() == name);
    entry.expect("a rule of the list")
}

/// A call that is equal to those with the same number, and its result, of which the same holds.
pub(super) fn step(call: u64, result: u64) -> Step {
    let call = CallFeatures {
        exact: Some(call),
        call: Some(call),
        ..CallFeatures::default()
    };
    let result = ResultFeatures {
        text: result,
        text_without_numbers: result,
        likeness: call.call.unwrap_or_default() * 1_000 + result,
        ..ResultFeatures::default()
    };
    Step::new(call, result, 0, true)
}

/// The verdict of a rule on each step, such as `nudge 3`, at its call or at its result. It is saved and
/// loaded before each, so a test fails where a part of its state is not saved.
pub(super) fn told(rule: &mut Rule, steps: &[Step]) -> Vec<String> {
    let mut history = History::default();
    history.waits = 10;
    let mut told = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        let index = at as u64;
        let mut step = *step;
        step.call.index = index;
        step.call.request = index + 1;
        step.number = index + 1;
        step.is_new = !history.has_call(step.call.call);
        let saved = rule.rule.save();
        rule.rule.begin_anew();
        rule.rule.load(&saved).expect("what was just saved");
        let at_call = rule.at_call(&step.call);
        if !step.is_mere_note() {
            history.push(step);
        }
        let found = at_call.or(rule.at_result(&step, &mut history));
        told.push(found.map_or(String::new(), |found: Finding| {
            let action = if found.is_stop { "stop" } else { "nudge" };
            format!("{action} {}", found.count)
        }));
    }
    told
}
