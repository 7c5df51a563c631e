//! The rules, and what they look at.
//!
//! A rule is one file: what it finds and must not find, the settings that it reads, its state, its texts
//! and its tests. One that asks how often something has repeated implements [`HistoryRule`], any other
//! [`EventRule`]; what the detector asks of each of them is [`Rule`]. Which of them an agent has, and with
//! which numbers, is in the agent's own file.

mod alternating_calls;
mod alternating_pairs;
mod call_cap;
mod call_counts;
mod call_window;
mod duplicate_calls;
mod event_rule;
mod frequent_reads;
mod git_overview;
mod history;
mod history_rule;
mod identical_calls;
mod identical_calls_limit;
mod identical_calls_thresholds;
mod monitored_calls;
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
mod rule;
mod same_errors;
mod same_tool_calls;
mod stateful_reads;
mod syntax_errors;
mod unknown_tool;
mod windows;

use self::event_rule::{EventRule, OverEvents};
pub(crate) use self::history::History;
use self::history_rule::{HistoryRule, OverHistory};
pub(crate) use self::rule::{Context, Restart, Rule};
use crate::settings::RuleSettings;
use turnkeeper_base::options::Threshold;
pub(crate) use turnkeeper_loop_detector::rules::{
    Action, Answered, CallSeen, CallSummary, Detection, Event, LoopInfo, MAX_COUNT, ResultSeen,
    RuleInfo, RunUnderWay, Tally,
};

/// Every rule. Of several that stop the model at one event, the first is reported; of several that
/// nudge, too.
pub(crate) const RULES: &[RuleEntry] = &[
    RuleEntry::over_history::<identical_calls::IdenticalCalls>(),
    RuleEntry::over_history::<identical_calls_limit::IdenticalCallsLimit>(),
    RuleEntry::over_history::<identical_calls_thresholds::IdenticalCallsThresholds>(),
    RuleEntry::over_history::<repeated_cycle::RepeatedCycle>(),
    RuleEntry::over_history::<monitored_calls::MonitoredCalls>(),
    RuleEntry::over_history::<repeated_pairs::RepeatedPairs>(),
    RuleEntry::over_history::<repeated_errors::RepeatedErrors>(),
    RuleEntry::over_history::<syntax_errors::SyntaxErrors>(),
    RuleEntry::over_history::<repeated_messages::RepeatedMessages>(),
    RuleEntry::over_history::<alternating_pairs::AlternatingPairs>(),
    RuleEntry::over_history::<repeated_condensations::RepeatedCondensations>(),
    RuleEntry::over_events::<recent_events::RecentEvents>(),
    RuleEntry::over_events::<repeated_calls::RepeatedCalls>(),
    RuleEntry::over_events::<repeated_overviews::RepeatedOverviews>(),
    RuleEntry::over_events::<duplicate_calls::DuplicateCalls>(),
    RuleEntry::over_events::<alternating_calls::AlternatingCalls>(),
    RuleEntry::over_events::<frequent_reads::FrequentReads>(),
    RuleEntry::over_events::<same_tool_calls::SameToolCalls>(),
    RuleEntry::over_events::<repeated_thoughts::RepeatedThoughts>(),
    RuleEntry::over_events::<call_cap::CallCap>(),
    RuleEntry::over_events::<call_window::CallWindow>(),
    RuleEntry::over_events::<same_errors::SameErrors>(),
    RuleEntry::over_events::<repeated_steps::RepeatedSteps>(),
    RuleEntry::of::<windows::RepeatedWindows>(),
];

/// A rule in the list.
pub(crate) struct RuleEntry {
    /// The rule with these settings, unless it is off.
    pub(crate) make: fn(&RuleSettings) -> Option<Box<dyn Rule>>,
}

impl RuleEntry {
    const fn over_events<R: EventRule>() -> Self {
        Self::of::<OverEvents<R>>()
    }

    const fn over_history<R: HistoryRule>() -> Self {
        Self::of::<OverHistory<R>>()
    }

    const fn of<R: Rule + 'static>() -> Self {
        Self {
            make: |options| Some(Box::new(R::from_options(options)?)),
        }
    }
}

/// The count of a threshold that is set and not off.
fn count_of(threshold: Option<Threshold>) -> Option<u64> {
    threshold.and_then(Threshold::count)
}

/// The same with a value for a threshold that is not set, for rules that another option switches on.
fn count_or(threshold: Option<Threshold>, usual: u64) -> Option<u64> {
    threshold.map_or(Some(usual), Threshold::count)
}
