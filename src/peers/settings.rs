//! What an agent's file says of its detection: which rules, with which numbers, over what.

use turnkeeper_base::options::{Count, Threshold};
use turnkeeper_loop_detector::{LoopMessages, ModelCheckSetting, PreviewModel};

/// Which rules an agent has, and what they compare. A rule without a threshold is off.
#[derive(Debug, Clone, Default)]
pub(crate) struct RuleSettings {
    pub(crate) identical_calls: Option<Threshold>,
    pub(crate) monitored_calls: Option<Threshold>,
    pub(crate) monitored_tools: Option<Vec<String>>,
    pub(crate) rounds: Option<Threshold>,
    pub(crate) min_period: Option<u64>,
    pub(crate) max_period: Option<u64>,
    pub(crate) limit: Option<i64>,
    pub(crate) max_repetitions: Option<Threshold>,
    pub(crate) soft_threshold: Option<Threshold>,
    pub(crate) hard_threshold: Option<Threshold>,
    pub(crate) window_size: Option<u64>,
    pub(crate) max_repeats: Option<Threshold>,
    pub(crate) repeated_pairs: Option<Threshold>,
    pub(crate) alternating_pairs: Option<Threshold>,
    pub(crate) repeated_errors: Option<Threshold>,
    pub(crate) syntax_errors: Option<Threshold>,
    pub(crate) repeated_messages: Option<Threshold>,
    pub(crate) repeated_condensations: Option<Threshold>,
    pub(crate) headless: bool,
    pub(crate) command_tools: Option<Vec<String>>,
    pub(crate) recent_pairs: Option<Threshold>,
    pub(crate) recent_errors: Option<Threshold>,
    pub(crate) recent_messages: Option<Threshold>,
    pub(crate) recent_turns: Option<Threshold>,
    pub(crate) recent_events: Option<u64>,
    pub(crate) repeated_calls: Option<Threshold>,
    pub(crate) stateful_tools: Option<Vec<String>>,
    pub(crate) repeated_overviews: Option<Threshold>,
    pub(crate) call_cap: Option<Threshold>,
    pub(crate) call_cap_repeats: Option<u64>,
    pub(crate) duplicate_calls: Option<Threshold>,
    pub(crate) alternating_calls: Option<Threshold>,
    pub(crate) frequent_reads: Option<Threshold>,
    pub(crate) read_window: Option<u64>,
    pub(crate) same_tool_calls: Option<Threshold>,
    pub(crate) repeated_thoughts: Option<Threshold>,
    pub(crate) same_calls: Option<Threshold>,
    pub(crate) unchanged_polls: Option<Threshold>,
    pub(crate) calls_in_turn: Option<Threshold>,
    pub(crate) unknown_tool_calls: Option<Threshold>,
    pub(crate) call_window: Option<u64>,
    pub(crate) same_errors: Option<Threshold>,
    pub(crate) unit: Option<u64>,
    pub(crate) copies: Option<Threshold>,
    pub(crate) mean_distance: Option<u64>,
    pub(crate) distinct_gaps: Option<u64>,
    pub(crate) history: Option<u64>,
    /// Whether a delta that looks like Markdown starts the windows afresh.
    pub(crate) markdown_resets: bool,
    /// Whether Markdown is read as it is written. As gemini-cli reads it, a dash begins no list, and
    /// digits, capitals and most punctuation are dividers.
    pub(crate) strict_markdown: bool,
    /// Whether windows of white space and symbols, or of fewer than 15 other units, do not count.
    pub(crate) skip_symbols: bool,

    pub(crate) cosmetic_arguments: Option<Vec<String>>,
    pub(crate) compare_arguments: CompareArguments,
    pub(crate) compare_results: CompareResults,
    /// What breaks a run of calls; another tool, if nothing is said.
    pub(crate) breaks_run: Option<Vec<RunBreak>>,
    /// Whether `browser_action` calls that scroll are not counted.
    pub(crate) skip_scrolling: bool,
    pub(crate) after_firing: AfterFiring,
    /// Whether `clear` only lifts a `stop`, so that the next repeat is one more.
    pub(crate) clear_keeps_counts: bool,
    pub(crate) preview_model: Option<PreviewModel>,
    pub(crate) model_check: Option<ModelCheckSetting>,
    pub(crate) messages: Option<LoopMessages>,
}

/// A host's count, or the agent's.
pub(crate) fn count(own: Option<Count>, usual: u64) -> Option<u64> {
    Some(own.map_or(usual, Count::get))
}

/// A threshold as an agent's file says it.
pub(crate) fn at(count: u64) -> Option<Threshold> {
    Count::new(count).map(Threshold::At)
}

/// The effect of a `stop` on the events after it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum AfterFiring {
    /// Every further event gets it, until a new prompt or `clear`.
    #[default]
    Latched,
    /// The rule that fired starts afresh; the next event is judged as if it had not.
    Reset,
    /// The verdict is what the rules say of the events so far, so it ends with its reason: with a
    /// different call, for instance. While it holds, every further call is a stop, and so is a result where
    /// results are looked at; text, a turn and a message of the user are not.
    Stateless,
}

/// The part of a call's arguments that is compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum CompareArguments {
    /// Their value; the order of keys does not matter, and a JSON string is the value that it holds.
    #[default]
    Sorted,
    /// The same, but a string is compared as it is, and is the same as a value only if it is what
    /// `JSON.stringify` prints of it with sorted keys. No arguments are the same as `null`.
    SortedOrText,
    /// Their value with keys in the order given; a JSON string is the value that it holds.
    Ordered,
    /// As they were written: a string as it is, anything else by its value with keys in the order
    /// given.
    Raw,
    /// Of their keys, `params` and, unless it has no keys or items, `nativeArgs`, with keys in any order.
    /// Arguments without these two count as `params`.
    Params,
}

/// The part of a result that is compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum CompareResults {
    /// Nothing: calls are counted when they are made.
    #[default]
    None,
    /// Of a command, its exit code, if the result carries one; otherwise the whole output.
    ExitCode,
    /// The whole output.
    Full,
}

/// What breaks a run of calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RunBreak {
    /// Prose of the assistant.
    Text,
    /// Thinking of the model.
    Reasoning,
    /// The beginning or the end of a turn.
    Turn,
    /// A message of the user.
    UserMessage,
    /// A call of another tool.
    OtherTool,
}
