//! Every rule, in order.

use super::event_rule::{EventRule, OverEvents};
use super::rule::Rule;
use super::{adaptive, blind_calls, identical_calls, low_progress, passages, tool_call_limit};
use crate::options::LoopDetectorOptions;

/// Every rule. Of several that stop the model at one event, the first is reported; of several that
/// nudge, too.
pub(crate) const RULES: &[MakeRule] = &[
    over_events::<identical_calls::IdenticalCalls>,
    |options| Some(Box::new(adaptive::Adaptive::from_options(options)?)),
    over_events::<blind_calls::BlindCalls>,
    over_events::<low_progress::LowProgress>,
    over_events::<tool_call_limit::ToolCallLimit>,
    over_events::<passages::RepeatedPassages>,
];

/// Makes a rule with a host's options, unless it is off.
type MakeRule = fn(&LoopDetectorOptions) -> Option<Box<dyn Rule>>;

fn over_events<R: EventRule>(options: &LoopDetectorOptions) -> Option<Box<dyn Rule>> {
    Some(Box::new(OverEvents::<R>::from_options(options)?))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::detection::LoopInfo;
    use super::super::rule_name::RuleName;
    use super::*;

    const DOCUMENT: &str = include_str!("../../../docs/loop-detector.md");

    /// The rules over events, each name of each; those over steps have theirs from their list.
    fn infos() -> impl Iterator<Item = (MakeRule, &'static LoopInfo)> {
        fn of<R: EventRule>() -> impl Iterator<Item = (MakeRule, &'static LoopInfo)> {
            R::LOOPS
                .iter()
                .map(|info| (over_events::<R> as MakeRule, info))
        }
        of::<identical_calls::IdenticalCalls>()
            .chain(of::<blind_calls::BlindCalls>())
            .chain(of::<low_progress::LowProgress>())
            .chain(of::<tool_call_limit::ToolCallLimit>())
            .chain(of::<passages::RepeatedPassages>())
    }

    #[test]
    fn no_two_rules_report_under_one_name() {
        let mut listed: Vec<RuleName> = infos().map(|(_, info)| info.name).collect();
        listed.sort();
        assert!(
            listed.windows(2).all(|pair| pair[0] != pair[1]),
            "{listed:?}"
        );
    }

    #[test]
    fn every_option_of_a_rule_is_an_option_and_its_first_switches_it_on() {
        for (make, info) in infos() {
            for (place, option) in info.options.iter().enumerate() {
                let values = [json!(1), json!(true), json!([]), json!("x"), json!({})];
                let read = values.iter().find_map(|value| {
                    let options = json!({ *option: value });
                    LoopDetectorOptions::from_value(&options).ok()
                });
                let options = read.unwrap_or_else(|| panic!("{option} is no option"));
                let is_on = make(&options).is_some();
                assert!(
                    place > 0 || is_on,
                    "{option} does not switch on {}",
                    info.name
                );
            }
        }
    }

    #[test]
    fn every_rule_has_a_row_in_the_document_with_its_options() {
        for (_, LoopInfo { name, options, .. }) in infos() {
            let start = format!("| `{name}` |");
            let row = DOCUMENT.lines().find(|line| line.starts_with(&start));
            let row = row.unwrap_or_else(|| panic!("docs/loop-detector.md lacks a row {start}"));
            for option in *options {
                assert!(
                    row.contains(&format!("`{option}`")),
                    "`{name}` has the option `{option}`: {row}"
                );
            }
        }
    }
}
