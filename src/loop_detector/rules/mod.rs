//! The rules.
//!
//! A rule is one file: what it finds and must not find, the options that it reads, its state, its texts
//! and its tests. Adding one takes
//!
//! - that file, and a line in the list of rules of its kind;
//! - an option in `options.rs`, and its value in the profiles that have it, in `profiles.rs`;
//! - a name in [`RuleName`](super::report::RuleName);
//! - its rows in `docs/loop-detector.md`: in the table of settings, in that of all rules, and in that of
//!   its profile;
//! - cases in `tests/fixtures/loop-detector` of what it finds and must not find, and, for `adaptive`, the
//!   same rule in the naive detector of `tests/properties/adaptive.rs`;
//! - `cargo xtask shapes`, which writes the TypeScript of the option and the name.
//!
//! Tests name what is missing, but for the cases and the naive detector. `cargo xtask test checks` knows
//! when the TypeScript is old.
//!
//! A rule has bounded memory, and what an event costs it does not grow with the conversation. There are
//! three kinds, each with a list of its own:
//!
//! - one that follows the events by itself implements [`Rule`] (see `tool_call_limit.rs`) and is in
//!   [`RULES`];
//! - one that asks how often something has repeated implements
//!   [`HistoryRule`](history_rule::HistoryRule) (see `identical_calls.rs`) and is in [`RULES`], too;
//! - one of the profile `adaptive`, which judges calls by what they do and what comes of them, implements
//!   `StepRule` (see `adaptive/fruitless_searches.rs`) and is in `STEP_RULES`.

mod adaptive;
mod alternating_calls;
mod alternating_pairs;
mod call_cap;
mod call_counts;
mod call_summary;
mod call_window;
mod duplicate_calls;
mod frequent_reads;
mod git_overview;
mod history;
mod history_rule;
mod identical_calls;
mod identical_calls_limit;
mod identical_calls_thresholds;
mod monitored_calls;
mod passages;
mod period_tracker;
mod recent_events;
mod repeated_calls;
mod repeated_condensations;
mod repeated_cycle;
mod repeated_errors;
mod repeated_messages;
mod repeated_overviews;
mod repeated_pairs;
mod repeated_steps;
mod repeated_thoughts;
mod replacing_edits;
mod same_errors;
mod same_tool_calls;
mod stateful_reads;
mod syntax_errors;
mod tool_call_limit;
mod unknown_tool;
mod windows;

use std::fmt;

pub(crate) use self::call_summary::CallSummary;
pub(crate) use self::history::History;
use self::history_rule::OverHistory;
use super::options::LoopDetectorOptions;
use super::progress::Newest;
use super::report::{Channel, LoopReport, RuleName};
use super::texts::Texts;
use crate::loop_detector::call::{Call, Encoded};
use crate::options::Threshold;
use crate::snapshot::Corrupt;

/// Every rule. Of several that stop the model at one event, the first is reported; of several that
/// nudge, too.
pub(crate) const RULES: &[RuleEntry] = &[
    RuleEntry::of::<OverHistory<identical_calls::IdenticalCalls>>(),
    RuleEntry::of::<OverHistory<identical_calls_limit::IdenticalCallsLimit>>(),
    RuleEntry::of::<OverHistory<identical_calls_thresholds::IdenticalCallsThresholds>>(),
    RuleEntry::of::<OverHistory<repeated_cycle::RepeatedCycle>>(),
    RuleEntry::of::<OverHistory<monitored_calls::MonitoredCalls>>(),
    RuleEntry::of::<OverHistory<repeated_pairs::RepeatedPairs>>(),
    RuleEntry::of::<OverHistory<repeated_errors::RepeatedErrors>>(),
    RuleEntry::of::<OverHistory<syntax_errors::SyntaxErrors>>(),
    RuleEntry::of::<OverHistory<repeated_messages::RepeatedMessages>>(),
    RuleEntry::of::<OverHistory<alternating_pairs::AlternatingPairs>>(),
    RuleEntry::of::<OverHistory<repeated_condensations::RepeatedCondensations>>(),
    RuleEntry::of::<recent_events::RecentEvents>(),
    RuleEntry::of::<repeated_calls::RepeatedCalls>(),
    RuleEntry::of::<repeated_overviews::RepeatedOverviews>(),
    RuleEntry::of::<duplicate_calls::DuplicateCalls>(),
    RuleEntry::of::<alternating_calls::AlternatingCalls>(),
    RuleEntry::of::<frequent_reads::FrequentReads>(),
    RuleEntry::of::<same_tool_calls::SameToolCalls>(),
    RuleEntry::of::<repeated_thoughts::RepeatedThoughts>(),
    RuleEntry::of::<call_cap::CallCap>(),
    RuleEntry::of::<call_window::CallWindow>(),
    RuleEntry::of::<same_errors::SameErrors>(),
    RuleEntry::of::<adaptive::Adaptive>(),
    RuleEntry::of::<tool_call_limit::ToolCallLimit>(),
    RuleEntry::of::<repeated_steps::RepeatedSteps>(),
    RuleEntry::of::<passages::RepeatedPassages>(),
    RuleEntry::of::<windows::RepeatedWindows>(),
];

/// A rule in the list.
pub(crate) struct RuleEntry {
    /// What the documentation says of it, for each name under which it reports.
    #[cfg_attr(not(test), allow(dead_code))]
    pub(crate) info: fn() -> &'static [RuleInfo],
    /// The rule with a host's options, unless it is off.
    pub(crate) make: fn(&LoopDetectorOptions) -> Option<Box<dyn Rule>>,
}

impl RuleEntry {
    const fn of<R: Rule + 'static>() -> Self {
        Self {
            info: R::info,
            make: |options| Some(Box::new(R::from_options(options)?)),
        }
    }
}

/// What the documentation says of a rule; a test compares its table with this.
#[cfg_attr(not(test), allow(dead_code))]
#[derive(Clone, Copy)]
pub(crate) struct RuleInfo {
    pub(crate) name: RuleName,
    /// The options that it reads, those first that switch it on.
    pub(crate) options: &'static [&'static str],
    pub(crate) finds: &'static str,
}

/// What every rule does.
pub(crate) trait Rule: BoxedClone {
    fn info() -> &'static [RuleInfo]
    where
        Self: Sized;

    /// The rule with a host's options, unless it is off.
    fn from_options(options: &LoopDetectorOptions) -> Option<Self>
    where
        Self: Sized;

    /// What it has to be given beside calls and text.
    fn needs(&self) -> Needs {
        Needs::default()
    }

    /// Tells the history what to follow.
    fn follow(&self, _: &mut History) {}

    /// Whether it judges by the history alone, and so starts afresh together with that.
    fn is_over_history(&self) -> bool {
        false
    }

    /// Takes the next event. The answer is a detection that is new.
    fn observe(&mut self, event: &Event, context: &Context) -> Option<Detection>;

    /// Whether the stop that it found last still holds, so that a verdict which follows from the events
    /// so far stays what it was.
    fn still_holds(&self) -> bool {
        false
    }

    /// The stop that still holds, where another rule's was the verdict until now.
    fn tell_again(&self, _event: &Event, _context: &Context) -> Option<Detection> {
        None
    }

    /// How far it has counted calls in a row, if it counts any.
    fn under_way(&self, _: &History) -> Option<RunUnderWay> {
        None
    }

    /// What it compares the newest call and its answer by, if it reads them.
    fn newest(&self) -> Option<Newest> {
        None
    }

    /// Starts afresh.
    fn restart(&mut self, restart: Restart);

    /// Its state as bytes. What it is configured with comes from the options.
    fn save(&self) -> Vec<u8>;

    /// Goes on from what [`save`](Self::save) wrote.
    fn load(&mut self, saved: &[u8]) -> Result<(), Corrupt>;
}

/// Clones a rule in its box.
pub(crate) trait BoxedClone {
    fn boxed_clone(&self) -> Box<dyn Rule>;
}

impl<R: Rule + Clone + 'static> BoxedClone for R {
    fn boxed_clone(&self) -> Box<dyn Rule> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn Rule> {
    fn clone(&self) -> Self {
        (**self).boxed_clone()
    }
}

/// What a rule has to be given beside calls and text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Needs {
    /// Results, and what happens between calls.
    pub(crate) results: bool,
    /// A call without a result never gets one after the user's next message.
    pub(crate) user_message_ends_calls: bool,
}

/// Calls in a row that a rule counts, before or after it has fired.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RunUnderWay {
    pub(crate) count: u64,
    /// The count at which the rule fires next.
    pub(crate) threshold: u64,
}

impl RunUnderWay {
    /// The one that is nearest to its threshold; of two that are equally near, the longer one.
    pub(crate) fn nearest(runs: impl Iterator<Item = Self>) -> Option<Self> {
        let share = |run: &Self| run.count as f64 / run.threshold as f64;
        runs.filter(|run| run.count > 0).max_by(|one, other| {
            share(one)
                .total_cmp(&share(other))
                .then(one.count.cmp(&other.count))
        })
    }
}

/// Why a rule starts afresh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Restart {
    /// A new prompt began: indexes and offsets start afresh, too.
    NewPrompt,
    /// The host lifted a stop, or the rule itself fired: indexes and offsets go on.
    Cleared,
}

/// What a rule may look at beside the event.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    /// What happened so far, this event included.
    pub(crate) history: &'a History,
    /// The user's words.
    pub(crate) user_prompt: &'a [u16],
    /// Whether prose that follows a stop still counts, as it does where a stop may end by itself.
    pub(crate) reads_on: bool,
}

/// What happens, as rules get to see it.
#[derive(Clone, Copy)]
pub(crate) enum Event<'a> {
    Call(CallSeen<'a>),
    Result(ResultSeen<'a>),
    Text { channel: Channel, delta: &'a [u16] },
    TurnStarted,
    UserMessage,
    Condensation,
    Finished,
    Other,
}

/// A call.
#[derive(Clone, Copy)]
pub(crate) struct CallSeen<'a> {
    pub(crate) call: &'a Call<'a>,
    /// What it is compared by.
    pub(crate) key: u64,
    /// Which call of the prompt it is, counting from 0.
    pub(crate) index: u64,
    /// Whether a preview model answers.
    pub(crate) is_preview: bool,
}

/// A result.
#[derive(Clone, Copy)]
pub(crate) struct ResultSeen<'a> {
    /// What it is compared by; 0 for an output that is empty or is not compared.
    pub(crate) key: u64,
    /// A string.
    pub(crate) output: Encoded<'a>,
    pub(crate) is_error: bool,
    /// A number, if there is one.
    pub(crate) exit_code: Encoded<'a>,
    /// The call that it answers, if that is known.
    pub(crate) answered: Option<Answered>,
}

/// A call that was made before.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Answered {
    pub(crate) key: u64,
    pub(crate) index: u64,
    /// By [`Call::tool_fingerprint`].
    pub(crate) tool: u64,
}

/// What a rule has found.
pub(crate) struct Detection {
    pub(crate) action: Action,
    pub(crate) report: Box<LoopReport>,
    pub(crate) texts: Texts,
}

impl Detection {
    pub(crate) fn stop(report: Box<LoopReport>, texts: Texts) -> Self {
        Self {
            action: Action::Stop,
            report,
            texts,
        }
    }

    pub(crate) fn nudge(report: Box<LoopReport>, texts: Texts) -> Self {
        Self {
            action: Action::Nudge,
            report,
            texts,
        }
    }

    pub(crate) fn is_stop(&self) -> bool {
        self.action == Action::Stop
    }
}

/// A rule's state is of no use in a log.
impl fmt::Debug for dyn Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rule").finish_non_exhaustive()
    }
}

/// What the host should do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    /// Tell the model, and let it go on.
    Nudge,
    /// Stop the model.
    Stop,
}

/// No conversation counts as far, so that counting on from a snapshot cannot overflow.
pub(crate) const MAX_COUNT: u64 = u64::MAX >> 8;

/// The count of a threshold that is set and not off.
fn count_of(threshold: Option<Threshold>) -> Option<u64> {
    threshold.and_then(Threshold::count)
}

/// The same with a value for a threshold that is not set, for rules that another option switches on.
fn count_or(threshold: Option<Threshold>, usual: u64) -> Option<u64> {
    threshold.unwrap_or(Threshold::At(usual)).count()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::options;

    const DOCUMENT: &str = include_str!("../../../docs/loop-detector.md");

    fn infos() -> impl Iterator<Item = &'static RuleInfo> {
        RULES.iter().flat_map(|entry| (entry.info)())
    }

    #[test]
    fn every_name_is_of_one_rule_in_the_list() {
        let mut listed: Vec<RuleName> = infos().map(|info| info.name).collect();
        listed.extend([RuleName::ModelCheck, RuleName::HostReport]);
        for name in RuleName::ALL {
            let times = listed.iter().filter(|listed| **listed == *name).count();
            assert_eq!(times, 1, "{name:?} is in {times} rules of the list");
        }
    }

    #[test]
    fn every_option_of_a_rule_is_an_option_and_its_first_switches_it_on() {
        for info in infos() {
            for (place, option) in info.options.iter().enumerate() {
                let values = [
                    json!(1),
                    json!(true),
                    json!([]),
                    json!("x"),
                    json!("exit_code"),
                ];
                let read = values.iter().find_map(|value| {
                    let options = json!({ *option: value });
                    options::read::<LoopDetectorOptions>("loop_detector", &options).ok()
                });
                let options = read.unwrap_or_else(|| panic!("{option} is no option"));
                if place == 0 {
                    let is_on = RULES.iter().any(|entry| {
                        let names = (entry.info)().iter().map(|info| info.name);
                        names.into_iter().any(|name| name == info.name)
                            && (entry.make)(&options).is_some()
                    });
                    assert!(is_on, "{option} does not switch on {:?}", info.name);
                }
            }
        }
    }

    #[test]
    fn the_table_of_rules_in_the_document_is_this() {
        let rows: Vec<String> = DOCUMENT
            .lines()
            .skip_while(|line| !line.starts_with("| rule | finds |"))
            .skip(2)
            .take_while(|line| line.starts_with('|'))
            .map(str::to_owned)
            .collect();
        let expected: Vec<String> = infos()
            .map(|info| {
                let options: Vec<String> = info
                    .options
                    .iter()
                    .map(|name| format!("`{name}`"))
                    .collect();
                let RuleInfo { name, finds, .. } = info;
                format!("| `{name}` | {finds} | {} |", options.join(", "))
            })
            .collect();
        for row in &expected {
            assert!(
                rows.contains(row),
                "docs/loop-detector.md lacks the row\n{row}"
            );
        }
        assert_eq!(rows, expected, "in the order of the list");
    }
}
