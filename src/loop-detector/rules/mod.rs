//! The rules.
//!
//! A rule is one file: what it finds and must not find, the options that it reads, its state, its texts
//! and its tests. Adding one takes
//!
//! - that file, whose head says what it finds (`Finds: `, `Must not find: `, `The number: `), and a line in the list
//!   of rules of its kind;
//! - an option in `options/loop_detector_options.rs`;
//! - a name in [`RuleName`](super::report::RuleName);
//! - unless it is in `STEP_RULES`, whose files say both: its count in `profiles.rs`, and its row in
//!   `docs/loop-detector.md`, in the table of its profile, with its options and their values;
//! - cases in `tests/fixtures/loop-detector` of what it finds and must not find; for `adaptive`, the same rule in
//!   the naive detector of `tests/properties/adaptive.rs`, if that has such calls; for one that says which run is
//!   under way, its name in `tests/properties/counts.rs`;
//! - a line in `CHANGELOG.md`, if the last published version had no such rule;
//! - `cargo xtask shapes`, which writes the TypeScript of the option and the name, and the rows of
//!   `STEP_RULES`; `cargo xtask api`, which writes the report of the public types; and `cargo xtask traces`,
//!   because a rule that is on is in every snapshot.
//!
//! The answer to a question is a word of the user: no rule over steps sees it, and all begin anew.
//!
//! A rule has settings, which come from the options, and a `State`, which begins empty; what an event does to
//! that is all that it writes. Saving, copying and forgetting are done once for all. Three questions its state
//! answers. Is it bounded, and refused out of a snapshot if the rule cannot have it (`SavedState::validate`,
//! `allows`)? Which of it ends with a prompt, and which goes on when the host lifts a stop (`restart`)? What of it
//! must outlive a condensation, after which the model knows nothing of the calls before
//! ([`Event::Condensation`])? A snapshot has it under the rule's name: a build that does not know the rule leaves
//! it out, and one that finds none starts afresh.
//!
//! Tests name what is missing, but for the cases, the naive detector and the changelog. `cargo xtask test checks`
//! knows when the TypeScript is old. What an event costs a rule does not grow with the conversation.
//!
//! There are two kinds, each with a list of its own:
//!
//! - one that follows the events implements [`EventRule`] (see `identical_calls.rs`) and is in [`RULES`];
//! - one of the profile `adaptive`, which judges calls by what they do and what comes of them, implements
//!   `StepRule` (see `adaptive/equal_errors.rs`) and is in `STEP_RULES`.
//!
//! What the detector asks of each of them is [`Rule`].

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
mod run_under_way;
mod seen;
mod tool_call_limit;

pub(super) use self::adaptive::set_usual_counts;
pub(crate) use self::call_summary::CallSummary;
pub use self::detection::{Action, Detection};
pub(crate) use self::detection::{LoopInfo, Tally};
use self::event_rule::{EventRule, OverEvents};
pub(crate) use self::rule::Rule;
pub use self::rule::{Context, Restart};
pub use self::run_under_way::RunUnderWay;
pub use self::seen::{Answered, CallSeen, Event, ResultSeen};
use super::options::LoopDetectorOptions;
use super::report::RuleName;
use turnkeeper_base::options::Threshold;

/// Every rule. Of several that stop the model at one event, the first is reported; of several that
/// nudge, too.
pub(crate) const RULES: &[RuleEntry] = &[
    RuleEntry::over_events::<identical_calls::IdenticalCalls>(),
    RuleEntry::of::<adaptive::Adaptive>(),
    RuleEntry::over_events::<blind_calls::BlindCalls>(),
    RuleEntry::over_events::<low_progress::LowProgress>(),
    RuleEntry::over_events::<tool_call_limit::ToolCallLimit>(),
    RuleEntry::over_events::<passages::RepeatedPassages>(),
];

/// A rule in the list.
pub(crate) struct RuleEntry {
    /// What the documentation says of it, for each name under which it reports.
    #[cfg(test)]
    info: fn() -> Vec<RuleInfo>,
    /// The rule with a host's options, unless it is off.
    pub(crate) make: fn(&LoopDetectorOptions) -> Option<Box<dyn Rule>>,
}

impl RuleEntry {
    const fn over_events<R: EventRule>() -> Self {
        Self::of::<OverEvents<R>>()
    }

    const fn of<R: Rule + 'static>() -> Self {
        Self {
            #[cfg(test)]
            info: R::info,
            make: |options| Some(Box::new(R::from_options(options)?)),
        }
    }
}

/// What the documentation says of a rule; a test compares its table with this.
#[cfg_attr(not(test), allow(dead_code))]
#[derive(Clone, Copy)]
pub(crate) struct RuleInfo {
    pub name: RuleName,
    /// The options that it reads, those first that switch it on.
    pub options: &'static [&'static str],
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

    fn infos() -> impl Iterator<Item = RuleInfo> {
        RULES.iter().flat_map(|entry| (entry.info)())
    }

    #[test]
    fn no_two_rules_report_under_one_name() {
        let mut listed: Vec<RuleName> = infos().map(|info| info.name).collect();
        listed.extend([RuleName::ModelCheck, RuleName::HostReport]);
        listed.sort();
        assert!(
            listed.windows(2).all(|pair| pair[0] != pair[1]),
            "{listed:?}"
        );
    }

    #[test]
    fn every_option_of_a_rule_is_an_option_and_its_first_switches_it_on() {
        for info in infos() {
            for (place, option) in info.options.iter().enumerate() {
                let values = [json!(1), json!(true), json!([]), json!("x"), json!({})];
                let read = values.iter().find_map(|value| {
                    let options = json!({ *option: value });
                    LoopDetectorOptions::from_value(&options).ok()
                });
                let options = read.unwrap_or_else(|| panic!("{option} is no option"));
                if place == 0 {
                    let is_on = RULES.iter().any(|entry| {
                        let mut names = (entry.info)().into_iter().map(|info| info.name);
                        names.any(|name| name == info.name) && (entry.make)(&options).is_some()
                    });
                    assert!(is_on, "{option} does not switch on {:?}", info.name);
                }
            }
        }
    }

    #[test]
    fn every_rule_has_a_row_in_the_document_with_its_options() {
        for RuleInfo { name, options, .. } in infos() {
            let start = format!("| `{name}` |");
            let row = DOCUMENT.lines().find(|line| line.starts_with(&start));
            let row = row.unwrap_or_else(|| panic!("docs/loop-detector.md lacks a row {start}"));
            for option in options {
                assert!(
                    row.contains(&format!("`{option}`")),
                    "`{name}` has the option `{option}`: {row}"
                );
            }
        }
    }
}
