//! Problems, to be reported to whoever wrote a prompt, a document or a summary.

use serde::Serialize;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS, documented::DocumentedFields)
)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Severity {
    /// Something was not done.
    Error,
    /// It was done, though perhaps not as it was meant.
    Warning,
}

/// What is wrong, as a stable name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS, documented::DocumentedFields)
)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum DiagnosticCode {
    /// Nothing closes a fenced block of code.
    UnclosedFence,
    /// Nothing closes `@{` on its line.
    UnclosedDirective,
    /// `@{…}` begins with no known command.
    UnknownCommand,
    /// A command is not written as it has to be.
    BadDirective,
    /// An `else` belongs to no condition.
    StrayElse,
    /// An `endif` belongs to no condition.
    StrayEndif,
    /// Nothing ends a condition.
    UnclosedCondition,
    /// A macro is used that is not defined.
    UndefinedMacro,
    /// A prompt or a rule defines a macro that is the host's.
    ReadOnlyMacro,
    /// A macro uses itself.
    MacroCycle,
    /// The macros of a text are used too often, or become too long.
    MacroLimit,
    /// The right side of `MATCHES` is no regular expression, or too large a one.
    BadPattern,
    /// The conditions of a text take too long.
    ConditionLimit,
    /// Nothing closes `@[` on its line.
    UnclosedReference,
    /// There is no path in a reference.
    EmptyReference,
    /// A path has an unpaired surrogate in it.
    BadPath,
    /// Lines of a file do not count from 1, or the last is before the first.
    BadRange,
    /// The braces of a tool call do not hold one JSON object.
    BadArguments,
    /// A document includes a file that may not be read.
    Denied,
    /// A document includes a file that the host did not give.
    Unreadable,
    /// A document includes itself.
    Cycle,
    /// A document includes more than the limits allow.
    Limit,
    /// A document calls a tool that failed.
    ToolFailed,
    /// An image stays text.
    Image,
    /// The front matter of a skill cannot be read.
    BadFrontMatter,
    /// The block is larger than its budget.
    OverBudget,
    /// A model's summary of a turn cannot be read, or says nothing; it is not stored.
    UnreadableSummary,
    /// A field of a model's summary is of another type than the schema says, and is left out.
    UnreadableField,
    /// A model's summary does not name the user's goal.
    GoalDropped,
    /// A model's summary names no open point, though the task is not finished.
    NoOpenPoint,
    /// A model's summary is longer than what it sums up.
    SummaryTooLong,
}

impl DiagnosticCode {
    /// How bad it is.
    #[must_use]
    pub fn severity(self) -> Severity {
        match self {
            Self::UndefinedMacro
            | Self::Image
            | Self::GoalDropped
            | Self::NoOpenPoint
            | Self::SummaryTooLong => Severity::Warning,
            _ => Severity::Error,
        }
    }
}

/// Something to tell whoever wrote a prompt, a document or a summary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Diagnostic {
    /// `error` if something was not done, else `warning`.
    pub severity: Severity,
    /// A stable name of what is wrong.
    pub code: DiagnosticCode,
    /// For people.
    pub message: String,
    /// From 1; 1 for a summary.
    pub line: u32,
    /// From 1, in UTF-16 code units; 1 for a summary.
    pub column: u32,
    /// The rule or the file that it is about, or the field of a summary; the prompt, if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}
