//! What a host has set that concerns every rule over the history.

use crate::call::tool_fingerprints;
use crate::settings::{CompareResults, RuleSettings, RunBreak};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct HistorySettings {
    /// Whether a call counts when its result comes, as one with that.
    pub(super) calls_with_results: bool,
    /// What breaks a run of calls. Unless another tool does, each tool has a run of its own.
    pub(super) text_breaks_run: bool,
    pub(super) reasoning_breaks_run: bool,
    pub(super) turn_breaks_run: bool,
    pub(super) user_message_breaks_run: bool,
    pub(super) other_tool_breaks_run: bool,
    /// Whether a message of the user leaves actions and results as they are.
    pub(super) headless: bool,
    /// By [`Call::tool_fingerprint`](crate::call::Call::tool_fingerprint).
    pub(super) monitored_tools: Vec<u64>,
    /// Whether a rule may fire at the first call.
    pub(super) summarizes_every_call: bool,
}

impl HistorySettings {
    pub(super) fn new(options: &RuleSettings) -> Self {
        let breaks_run = |by| match &options.breaks_run {
            Some(breaks) => breaks.contains(&by),
            None => by == RunBreak::OtherTool,
        };
        Self {
            calls_with_results: options.compare_results != CompareResults::None,
            text_breaks_run: breaks_run(RunBreak::Text),
            reasoning_breaks_run: breaks_run(RunBreak::Reasoning),
            turn_breaks_run: breaks_run(RunBreak::Turn),
            user_message_breaks_run: breaks_run(RunBreak::UserMessage),
            other_tool_breaks_run: breaks_run(RunBreak::OtherTool),
            headless: options.headless,
            monitored_tools: tool_fingerprints(&options.monitored_tools, &[]),
            summarizes_every_call: false,
        }
    }
}
