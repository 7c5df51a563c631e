//! The lines of the log, each of which says what was done.

use serde::Serialize;

use super::event::Mode;

/// The thing that was done, which a line of the log tells.
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
    /// A project's file leaves nothing to find.
    Silenced,
    /// A setting of a project does not hold.
    Ignored,
    /// Something of ours failed.
    Failure,
}

/// A line of the log, without the time and the agent. It quotes neither prompts nor arguments nor results.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LogLine {
    /// The thing that was done.
    pub what: Done,
    /// The most that the watch may do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<Mode>,
    /// The rule that found a loop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The tool that was called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The number of repeats that were counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
    /// The reason why something failed.
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

    /// A project's file leaves nothing to find.
    pub fn silenced(why: impl ToString) -> Self {
        Self::with_reason(Done::Silenced, why)
    }

    /// A setting of a project that does not hold.
    pub fn ignored(why: impl ToString) -> Self {
        Self::with_reason(Done::Ignored, why)
    }

    /// A failure.
    pub fn failure(why: impl ToString) -> Self {
        Self::with_reason(Done::Failure, why)
    }

    fn with_reason(what: Done, why: impl ToString) -> Self {
        Self {
            why: Some(why.to_string()),
            ..Self::new(what)
        }
    }
}
