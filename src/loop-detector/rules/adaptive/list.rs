//! The rules over steps, in order.

use super::step_rule::{ActiveRule, StepRule, StepRuleInfo};
use super::{
    calls_at_once, compaction_rounds, cycle_rounds, echo_calls, equal_errors, fruitless_searches,
    idle_messages, nothing_new, repeated_edits, repeated_results, repeated_waits, rewrites,
};
use crate::LoopDetectorOptions;
use crate::counts::count_of;
use crate::report::LoopType;
use crate::rules::RuleName;
use turnkeeper_base::options::{Count, Threshold};

/// Gives a macro the rules over steps, each as its file and its type. They are in order of precedence: of two findings
/// at once a stop comes before a nudge, and otherwise the rule that is first in the list before the one after it.
///
/// The type is the rule's [`RuleName`], and the file its option in [`LoopDetectorOptions`]. The first line of the
/// comment describes both; the others tell of the option's number.
macro_rules! step_rules {
    ($take:ident) => {
        $take! {
            /// Equal calls with equal results.
            /// The model is nudged at 3 in a row in `adaptive`. Cosmetic arguments, and what changes by itself, such as
            /// times, durations and ids, are not compared. Here and in the rules below, the stop follows when the run is
            /// half as long again, by two at least: at 5 after a nudge at 3. It takes one less in the same words of the
            /// model, and twice as many if the results say hardly more than that the call was made, or are only alike; four
            /// times as many if these are short. With others in between it takes two more within 20, and is never a stop.
            repeated_results::RepeatedResults,
            /// Equal calls with equal results of tools that wait, scroll or step, and of commands that sleep.
            /// 10 in a row in `adaptive`: silent builds are asked 6 to 8 times.
            repeated_waits::RepeatedWaits,
            /// Equal edits in a row, whatever their results, and equal acts such as sending a message.
            /// 3 in `adaptive`, of acts one more. The same for edits that come again as they were refused or as they were made,
            /// with others in between; 8 in a row that are refused, or 5 in the same words.
            repeated_edits::RepeatedEdits,
            /// One file written whole again and again, with nothing else done.
            /// 3 times in `adaptive`.
            rewrites::Rewrites,
            /// Calls in a row, not all the same, with the same short error.
            /// 4 in `adaptive`: healthy sessions have 3. It takes 6 at least if the errors are in the same words, names
            /// left out.
            equal_errors::EqualErrors,
            /// Searches in a row, not all the same, with the same result.
            /// 8 in `adaptive`: healthy sessions have up to 5. It takes a quarter more, 10 of 8, if the results only have
            /// in common that nothing was found, twice that after an edit, and three times as many where something was
            /// found in other files or folders each time, and half as many of ranges of one file with one long result.
            fruitless_searches::FruitlessSearches,
            /// Calls in a row, other than notes, whose command line only prints text with `echo`.
            /// 5 in `adaptive`, and one less of calls that say that the work is done, with none in between. Whether there
            /// are results does not matter.
            echo_calls::EchoCalls,
            /// Rounds of the same calls with the same results.
            /// 3 in `adaptive`, one less for rounds of three requests or more, and twice as many with waiting in them or
            /// of acknowledgements alone.
            cycle_rounds::CycleRounds,
            /// Results that came before, of calls that differ or take turns, with hardly a new one in between.
            /// 7 in `adaptive`, and again after three times as many more. It is never a stop by itself.
            nothing_new::NothingNew,
            /// The same call again and again in one message.
            /// 8 times in `adaptive`, and four times as many of different calls.
            calls_at_once::CallsAtOnce,
            /// Messages in a row, whatever they say, with no call and no word of the user in between.
            /// 8 in `adaptive`. Of equal ones of 30 UTF-16 code units or more a third is enough, whoever speaks in
            /// between.
            idle_messages::IdleMessages,
            /// Stretches between condensations in which nearly all calls and results came before.
            /// 3 in a row in `adaptive`, of which each repeats four fifths at least, makes no new edit and shows nothing
            /// new by a command.
            compaction_rounds::CompactionRounds,
        }
    };
}
pub(crate) use step_rules;

macro_rules! listed {
    ($($(#[doc = $about:tt])* $file:ident::$rule:ident,)*) => {
        pub(super) const STEP_RULES: &[StepRuleEntry] = &[$(StepRuleEntry {
            name: RuleName::$rule,
            info: &$file::INFO,
            option: |options| &mut options.$file,
            with: |options| Box::new($file::$rule::with(options)),
        },)*];
    };
}
step_rules!(listed);

/// A rule in the list.
pub(super) struct StepRuleEntry {
    pub(super) name: RuleName,
    info: &'static StepRuleInfo,
    pub(super) option: fn(&mut LoopDetectorOptions) -> &mut Option<Threshold>,
    with: fn(&LoopDetectorOptions) -> Box<dyn StepRule>,
}

impl StepRuleEntry {
    /// The rule with a host's options, unless it is off.
    pub(super) fn active(&self, options: &mut LoopDetectorOptions) -> Option<ActiveRule> {
        let limit = count_of(*(self.option)(options))?;
        Some(ActiveRule {
            name: self.name,
            info: self.info,
            limit,
            rule: (self.with)(options),
        })
    }
}

/// The type of the loops that a rule over steps finds; `None` for another rule.
pub(crate) fn loop_type(name: RuleName) -> Option<LoopType> {
    let entry = STEP_RULES.iter().find(|entry| entry.name == name)?;
    Some(entry.info.loop_type)
}

/// Sets the option of each rule to its usual count.
pub(crate) fn set_usual_counts(options: &mut LoopDetectorOptions) {
    for entry in STEP_RULES {
        *(entry.option)(options) = Count::new(entry.info.usual).map(Threshold::At);
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;
    use turnkeeper_base::options::table;

    const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/rules/adaptive");

    #[test]
    fn every_file_of_a_rule_is_in_the_list_and_is_named_after_the_rule() {
        let mut listed: Vec<String> = STEP_RULES
            .iter()
            .map(|entry| format!("{}.rs", entry.name))
            .collect();
        let mut files = Vec::new();
        for entry in fs::read_dir(FOLDER).expect("a folder") {
            let path = entry.expect("an entry").path();
            let is_rule = path.is_file()
                && fs::read_to_string(&path)
                    .expect("text")
                    .contains("\nimpl StepRule for ");
            if is_rule {
                let name = path.file_name().expect("a name");
                files.push(name.to_string_lossy().into_owned());
            }
        }
        listed.sort();
        files.sort();
        assert_eq!(listed, files, "left: in the list, right: in {FOLDER}");
    }

    #[test]
    fn every_rule_says_what_it_is_about_and_reads_options_that_there_are() {
        for StepRuleEntry { name, info, .. } in STEP_RULES {
            let text = fs::read_to_string(Path::new(FOLDER).join(format!("{name}.rs")));
            let text = text.expect("its file");
            for heading in ["//! Finds: ", "//! Must not find: ", "//! The number: "] {
                assert!(text.contains(heading), "{name}.rs has no line {heading:?}");
            }
            assert!(
                info.message.contains("{count}"),
                "{name}: the message does not say how often"
            );
            for option in info.also_reads {
                let is_option = table::find(LoopDetectorOptions::FIELDS, option).is_some();
                assert!(is_option, "{name}: {option} is no option");
            }
        }
    }
}
