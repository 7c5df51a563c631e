//! Made-up steps, and what a rule says of them.

use serde_json::Value;

use super::features::{CallFeatures, ResultFeatures, Step};
use super::history::History;
use super::step_rule::{ActiveRule, Finding, OverSteps, StepRule};
use crate::LoopDetectorOptions;
use turnkeeper_base::options::{Count, Threshold};

pub(super) type Rule = Box<dyn ActiveRule>;

/// The rule at this number, which switches it on.
pub(super) fn rule<R: StepRule>(number: u64) -> Rule {
    let mut options = LoopDetectorOptions::default();
    *R::option(&mut options) = Count::new(number).map(Threshold::At);
    made::<R>(&options)
}

/// The rule with these options, which switch it on.
pub(super) fn rule_with<R: StepRule>(options: Value) -> Rule {
    made::<R>(&LoopDetectorOptions::from_value(&options).expect("options"))
}

fn made<R: StepRule>(options: &LoopDetectorOptions) -> Rule {
    Box::new(OverSteps::<R>::from_options(options).expect("it is on"))
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
        ..ResultFeatures::default()
    };
    Step::new(call, result, 0, true)
}

/// The verdict of a rule on each step, such as `nudge 3`, at its call or at its result. It is saved and
/// loaded before each, so a test fails where a part of its state is not saved.
pub(super) fn told(rule: &mut Rule, steps: &[Step]) -> Vec<String> {
    let mut history = History::default();
    let mut told = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        let index = at as u64;
        let mut step = *step;
        step.call.index = index;
        step.call.request = index + 1;
        step.number = index + 1;
        step.is_new = !history.has_call(step.call.call);
        let saved = rule.save();
        rule.forget();
        rule.load(&saved).expect("what was just saved");
        let at_call = rule.at_call(&step.call, None);
        if !step.is_mere_note() {
            history.push(step, 20);
        }
        let found = at_call.or(rule.at_result(&step, &mut history));
        told.push(found.map_or(String::new(), |found: Finding| {
            let action = if found.is_stop { "stop" } else { "nudge" };
            format!("{action} {}", found.count)
        }));
    }
    told
}
