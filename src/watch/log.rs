//! What was done, as a line of the log says it.

use serde::Serialize;

use super::event::Mode;

/// What was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Done {
    /// A loop was found, of which nobody was told.
    Found,
    /// The model was told of a loop.
    Nudge,
    /// A loop went on, and nothing was ended.
    WentOn,
    /// The turn was ended, or its calls are refused.
    Stop,
    /// The model was given the ledger.
    Ledger,
    /// Something of ours failed.
    Failure,
}

/// A line of the log, without the time and the agent. It quotes neither prompts nor arguments nor results.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LogLine {
    /// What was done.
    pub what: Done,
    /// How far the watch goes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<Mode>,
    /// The rule that found a loop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The tool that was called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// How many repeats were counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
    /// Why something failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

impl LogLine {
    /// A line that says nothing more.
    pub fn new(what: Done) -> Self {
        Self {
            what,
            mode: None,
            rule: None,
            tool: None,
            count: None,
            why: None,
        }
    }

    /// A failure.
    pub fn failure(why: impl ToString) -> Self {
        Self {
            why: Some(why.to_string()),
            ..Self::new(Done::Failure)
        }
    }
}
