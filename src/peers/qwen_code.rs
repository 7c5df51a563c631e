//! Qwen Code.

use serde::{Deserialize, Serialize};

use crate::options::Peer;
use crate::settings::{RuleSettings, at, count};
use turnkeeper_base::options::{Count, Threshold};
use turnkeeper_loop_detector::LoopMessages;

/// The options of Qwen Code's detection. What is left out has the value that the agent has.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(optional_fields, rename_all = "camelCase")
)]
pub struct QwenCodeOptions {
    /// The number of identical calls in a row that stops the model, those of `statefulTools` only if all
    /// results in between were equal. Default: 5.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
    pub repeated_calls: Option<Threshold>,
    /// Tools that read what others change, so that the same call is a repeat only with the same result.
    /// Default: `task_list`.
    pub stateful_tools: Option<Vec<String>>,
    /// The number of calls in a row of `run_shell_command` that only look around with `git status`, `git
    /// diff` or `git ls-files`. Default: 8.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
    pub repeated_overviews: Option<Threshold>,
    /// More calls than this in a prompt stop the model, if one of them came `callCapRepeats` times.
    /// Default: 100.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
    pub call_cap: Option<Threshold>,
    /// How many times one call has to have come for that. Default: 6.
    pub call_cap_repeats: Option<Count>,
    /// Whether the optional rules are on, too: the six below and the windows of prose. Default: `false`.
    pub heuristics: Option<bool>,
    /// The number of times that one call comes in a prompt, with others in between or not; 6 with
    /// `heuristics`.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
    pub duplicate_calls: Option<Threshold>,
    /// The number of rounds of two calls that take turns, whatever their results, at most 50; 3 with
    /// `heuristics`.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
    pub alternating_calls: Option<Threshold>,
    /// The number of calls that read, by tools called `read_…`, `list_…` or `zoom_image`, among the last
    /// `readWindow`, once another tool has been called; 8 with `heuristics`.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
    pub frequent_reads: Option<Threshold>,
    /// How many calls are looked back on for that, at most 32. Default: 15.
    pub read_window: Option<Count>,
    /// The number of calls in a row of one tool, whatever the arguments; 8 with `heuristics`.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
    pub same_tool_calls: Option<Threshold>,
    /// The number of equal thoughts in a row with no call in between; 3 with `heuristics`. Each `reasoning`
    /// event is a thought, of which the subject, between `**`, and 200 UTF-16 code units are compared, case
    /// ignored.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
    pub repeated_thoughts: Option<Threshold>,
    /// The length of the windows of prose that are compared at every place, in UTF-16 code units, at most
    /// 5,000; 50 with `heuristics`.
    pub unit: Option<Count>,
    /// The number of equal windows that is a loop, at most 100; 1 counts as 2. 10 with `heuristics`.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
    pub copies: Option<Threshold>,
    /// The largest mean distance of equal windows, in UTF-16 code units. Default: 75.
    pub mean_distance: Option<Count>,
    /// How many different texts there may be from each window to the next. Default: 10, as many as there
    /// can be.
    pub distinct_gaps: Option<Count>,
    /// UTF-16 code units of prose that are looked back on, at most 100,000, at least `unit`. Default:
    /// 1,000.
    pub history: Option<Count>,
    /// The host's own texts. `{tool}`, `{count}`, `{threshold}` and `{period}` are filled in.
    #[cfg_attr(
        feature = "typescript",
        ts(optional, type = "Partial<Record<LoopType, MessageTexts>>")
    )]
    pub messages: Option<LoopMessages>,
}

impl Peer for QwenCodeOptions {
    fn settings(&self) -> RuleSettings {
        let is_on = self.heuristics == Some(true);
        let heuristic = |count| at(count).filter(|_| is_on);
        RuleSettings {
            repeated_calls: self.repeated_calls.or(at(5)),
            stateful_tools: Some(self.stateful_tools.clone().unwrap_or_else(stateful_tools)),
            repeated_overviews: self.repeated_overviews.or(at(8)),
            call_cap: self.call_cap.or(at(100)),
            call_cap_repeats: count(self.call_cap_repeats, 6),
            duplicate_calls: self.duplicate_calls.or(heuristic(6)),
            alternating_calls: self.alternating_calls.or(heuristic(3)),
            frequent_reads: self.frequent_reads.or(heuristic(8)),
            read_window: count(self.read_window, 15),
            same_tool_calls: self.same_tool_calls.or(heuristic(8)),
            repeated_thoughts: self.repeated_thoughts.or(heuristic(3)),
            unit: self
                .unit
                .map(Count::get)
                .or(heuristic(50).and_then(Threshold::count)),
            copies: self.copies.or(heuristic(10)),
            mean_distance: count(self.mean_distance, 75),
            // There are fewer gaps than this between 10 windows.
            distinct_gaps: count(self.distinct_gaps, 10),
            history: count(self.history, 1_000),
            markdown_resets: true,
            strict_markdown: true,
            messages: self.messages.clone(),
            ..RuleSettings::default()
        }
    }
}

/// Tools that read what others change.
fn stateful_tools() -> Vec<String> {
    vec!["task_list".to_owned()]
}
