//! The rules.
//!
//! A rule is one file: what it finds and must not find, the options that it reads, its state, its texts
//! and its tests. A new one judges calls with their results, nearly always, and takes
//!
//! - that file in `adaptive/`, whose head says what it finds (`Finds: `, and `In Chinese: ` if you can), what it must not
//!   find and where its number comes from (see `adaptive/rewrites.rs`);
//! - its `mod` and its line in `step_rules`, both in `adaptive/mod.rs`;
//! - cases in `tests/data/loop-detector` of what it finds and must not find.
//!
//! The line gives it its name and its option, which is on by default at the usual count that the file says;
//! `cargo xtask shapes` writes its TypeScript and its rows in the documents, `cargo xtask api` the report of the public types, and `cargo xtask traces` the traces, because a rule
//! that is on is in every snapshot. The naive detector of `tests/rust/properties/adaptive.rs` needs the same rule if it has
//! such calls, and `CHANGELOG.md` a line if the last published version had no such rule.
//!
//! The answer to a question is a word of the user: no rule over steps sees it, and all begin anew.
//!
//! A rule over steps is what it remembers, which begins empty; what a call or a step does to that is all that it
//! writes. Saving, copying and forgetting are done once for all. It answers three questions: whether its state is
//! bounded, and refused out of a snapshot if it cannot have been so (`going_on_from`); which of it ends with a word
//! of the user (`at_user_message`); and what of it must outlive a condensation, after which the model knows nothing
//! of the calls before ([`Event::Condensation`]). A snapshot has it under the rule's name: a build that does not know
//! the rule leaves it out, and one that finds none starts afresh.
//!
//! Tests name what is missing, but for the cases and the changelog. An event costs a rule the same however long the
//! conversation is.
//!
//! A rule that follows every event, text too, is an [`EventRule`] (see `identical_calls.rs`). It is in [`RULES`], has its
//! name in `rule_name.rs`, its option in `options/loop_detector_options.rs`, its count in `profiles.rs` and its row in
//! `docs/loop-detector.md`. A [`Rule`] is either kind, as the detector uses it.

mod adaptive;
mod blind_calls;
mod call_summary;
mod detection;
mod event_rule;
mod identical_calls;
mod low_progress;
mod passages;
pub(crate) mod period_tracker;
mod rule;
mod rule_name;
mod run_under_way;
mod seen;
mod tool_call_limit;

pub(super) use self::adaptive::{set_usual_counts, step_rules};
pub(crate) use self::call_summary::CallSummary;
pub use self::detection::{Action, Detection};
pub(crate) use self::detection::{LoopInfo, Tally, worse};
use self::event_rule::{EventRule, OverEvents};
pub use self::identical_calls::TEXTS as IDENTICAL_CALLS_TEXTS;
pub use self::passages::TEXTS as PASSAGES_TEXTS;
pub(crate) use self::rule::Rule;
pub use self::rule::{Context, Restart};
pub use self::rule_name::RuleName;
pub use self::run_under_way::RunUnderWay;
pub use self::seen::{Answered, CallSeen, Event, ResultSeen};
use super::options::LoopDetectorOptions;
use turnkeeper_base::options::Threshold;

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

/// No conversation counts as far, so that counting on from a snapshot cannot overflow.
pub(crate) const MAX_COUNT: u64 = u64::MAX >> 8;

/// The count of a threshold that is set and not off.
fn count_of(threshold: Option<Threshold>) -> Option<u64> {
    threshold.and_then(Threshold::count)
}

/// The same with a value for a threshold that is not set, for rules that another option switches on.
fn count_or(threshold: Option<Threshold>, usual: u64) -> Option<u64> {
    threshold.map_or(Some(usual), Threshold::count)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

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
