//! The rules of the profile `adaptive`: over calls together with their results.
//!
//! A call becomes a [`Step`](features::Step) when its result comes: a handful of fingerprints and facts, made in
//! [`features`], which is all that the rules see. What changes by itself, such as clocks and ids, is not
//! compared; another result of the same call is progress, unless the call is an edit. A call without a
//! result is no step. A rule nudges once, and stops the model when it goes on all the same;
//! anything else makes it forget.
//!
//! Each rule is a file with a [`StepRule`], and [`STEP_RULES`] is the list of them. A fact about calls that no
//! rule has needed yet is a field of [`CallFeatures`](features::CallFeatures).

mod calls_at_once;
mod compaction_rounds;
mod cycle_rounds;
mod early_steps;
mod echo_calls;
mod equal_errors;
mod equal_messages;
#[cfg(test)]
mod example;
mod features;
mod following;
mod fruitless_searches;
mod history;
mod idle_messages;
mod ineffective_edits;
mod nothing_new;
mod prose;
mod refused_edits;
mod repeated_edits;
mod repeated_intents;
mod repeated_results;
mod repeated_waits;
mod requests;
mod resent_edits;
mod rewrites;
mod rule_finding;
mod run;
mod scattered_repeats;
mod similar_errors;
mod similar_results;
mod step_rule;

pub(super) use self::following::Adaptive;
use self::step_rule::{ActiveRule, OverSteps, StepRule, StepRuleInfo};
use crate::LoopDetectorOptions;
use crate::report::RuleName;
use turnkeeper_base::options::{Count, Threshold};

/// The rules, in order of precedence: of two findings at once a stop comes before a nudge, and otherwise
/// the rule that is first in the list before the one after it.
const STEP_RULES: &[StepRuleEntry] = &[
    StepRuleEntry::of::<repeated_results::RepeatedResults>(),
    StepRuleEntry::of::<similar_results::SimilarResults>(),
    StepRuleEntry::of::<repeated_waits::RepeatedWaits>(),
    StepRuleEntry::of::<repeated_edits::RepeatedEdits>(),
    StepRuleEntry::of::<rewrites::Rewrites>(),
    StepRuleEntry::of::<equal_errors::EqualErrors>(),
    StepRuleEntry::of::<similar_errors::SimilarErrors>(),
    StepRuleEntry::of::<refused_edits::RefusedEdits>(),
    StepRuleEntry::of::<resent_edits::ResentEdits>(),
    StepRuleEntry::of::<fruitless_searches::FruitlessSearches>(),
    StepRuleEntry::of::<echo_calls::EchoCalls>(),
    StepRuleEntry::of::<repeated_intents::RepeatedIntents>(),
    StepRuleEntry::of::<cycle_rounds::CycleRounds>(),
    StepRuleEntry::of::<scattered_repeats::ScatteredRepeats>(),
    StepRuleEntry::of::<ineffective_edits::IneffectiveEdits>(),
    StepRuleEntry::of::<nothing_new::NothingNew>(),
    StepRuleEntry::of::<calls_at_once::CallsAtOnce>(),
    StepRuleEntry::of::<equal_messages::EqualMessages>(),
    StepRuleEntry::of::<idle_messages::IdleMessages>(),
    StepRuleEntry::of::<compaction_rounds::CompactionRounds>(),
];

/// A rule in the list.
struct StepRuleEntry {
    info: &'static StepRuleInfo,
    /// The rule with a host's options, unless it is off.
    make: fn(&LoopDetectorOptions) -> Option<Box<dyn ActiveRule>>,
}

impl StepRuleEntry {
    const fn of<R: StepRule>() -> Self {
        Self {
            info: R::INFO,
            make: |options| Some(Box::new(OverSteps::<R>::from_options(options)?)),
        }
    }
}

/// Sets the option of each rule to its usual count.
pub(crate) fn set_usual_counts(options: &mut LoopDetectorOptions) {
    for StepRuleEntry { info, .. } in STEP_RULES {
        *(info.option)(options) = Count::new(info.usual).map(Threshold::At);
    }
}

/// What is asked for several times may take this many calls each time.
const CALLS_OF_A_REPEAT: u64 = 4;

/// Raises the count of each rule that is on to this one at least. A rule that looks back on fewer calls than that says
/// nothing then.
fn raise_counts(options: &mut LoopDetectorOptions, least: u64) {
    for StepRuleEntry { info, .. } in STEP_RULES {
        let least = match info.name {
            RuleName::NothingNew => least.saturating_mul(CALLS_OF_A_REPEAT),
            _ => least,
        };
        if let Some(Threshold::At(at)) = (info.option)(options)
            && let Some(least) = Count::new(least)
            && *at < least
        {
            *at = least;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::LoopProfile;

    const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    const FOLDER: &str = "src/loop-detector/rules/adaptive";

    /// What the rules say of themselves, in their order.
    fn infos() -> impl Iterator<Item = &'static StepRuleInfo> {
        STEP_RULES.iter().map(|entry| entry.info)
    }

    #[test]
    fn the_profile_switches_every_rule_on() {
        let options = LoopProfile::Adaptive.defaults();
        for entry in STEP_RULES {
            let name = entry.info.name;
            assert!((entry.make)(&options).is_some(), "{name}: its `option`");
        }
    }

    #[test]
    fn every_file_of_a_rule_is_in_the_list_and_is_named_after_the_rule() {
        let mut listed: Vec<String> = infos().map(|info| format!("{}.rs", info.name)).collect();
        let mut files = Vec::new();
        for entry in fs::read_dir(Path::new(ROOT).join(FOLDER)).expect("a folder") {
            let path = entry.expect("an entry").path();
            let is_rule = path.is_file()
                && fs::read_to_string(&path)
                    .expect("text")
                    .contains("\nimpl StepRule for ");
            if is_rule {
                files.push(
                    path.file_name()
                        .expect("a name")
                        .to_string_lossy()
                        .into_owned(),
                );
            }
        }
        listed.sort();
        files.sort();
        assert_eq!(listed, files, "left: in STEP_RULES, right: in {FOLDER}");
    }

    #[test]
    fn every_rule_is_named_after_its_option_and_says_what_it_is_about() {
        for info in infos() {
            let name = info.name.to_string();
            let mut camel_case = String::new();
            for (at, word) in name.split('_').enumerate() {
                let (first, rest) = word.split_at(1);
                camel_case += &if at == 0 {
                    first.to_owned()
                } else {
                    first.to_uppercase()
                };
                camel_case += rest;
            }
            assert_eq!(info.options[0], camel_case, "{name}");
            let text = fs::read_to_string(Path::new(ROOT).join(FOLDER).join(format!("{name}.rs")));
            let text = text.expect("its file");
            for heading in ["//! Finds: ", "//! Must not find: ", "//! The number: "] {
                assert!(text.contains(heading), "{name}.rs has no line {heading:?}");
            }
            assert!(
                info.message.contains("{count}"),
                "{name}: the message does not say how often"
            );
        }
    }
}
