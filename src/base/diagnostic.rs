//! Problems, to be reported to whoever wrote a prompt, a document or a summary.

use serde::Serialize;

/// The severity of a diagnostic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS, documented::DocumentedFields)
)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Severity {
    /// Something could not be done.
    Error,
    /// It was done, but perhaps not in the way that was meant.
    Warning,
}

/// The kind of a diagnostic, as a stable name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS, documented::DocumentedFields)
)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum DiagnosticCode {
    /// A fenced code block is not closed.
    UnclosedFence,
    /// `@{` is not closed on its line.
    UnclosedDirective,
    /// `@{…}` does not begin with a known command.
    UnknownCommand,
    /// A command has a syntax error.
    BadDirective,
    /// An `else` without an `if`.
    StrayElse,
    /// An `endif` without an `if`.
    StrayEndif,
    /// An `if` without an `endif`.
    UnclosedCondition,
    /// A macro is used that is not defined.
    UndefinedMacro,
    /// A prompt or a rule tries to define a macro that belongs to the host.
    ReadOnlyMacro,
    /// A macro uses itself, directly or through others.
    MacroCycle,
    /// The macros of a text are expanded too often, or to too much text.
    MacroLimit,
    /// The right side of `MATCHES` is not a valid regular expression, or too large.
    BadPattern,
    /// The conditions of a text need too many steps.
    ConditionLimit,
    /// `@[` is not closed on its line.
    UnclosedReference,
    /// A reference has no path.
    EmptyReference,
    /// A path contains an unpaired surrogate.
    BadPath,
    /// A range of lines starts below 1, or ends before it starts.
    BadRange,
    /// The arguments of a tool call are not a JSON object.
    BadArguments,
    /// A prompt names a file that may not be read, or a document includes one.
    Denied,
    /// A prompt names a file that the host could not provide, or a document includes one.
    Unreadable,
    /// A document includes itself.
    Cycle,
    /// A prompt names more than the limits allow, or a document includes more.
    Limit,
    /// A prompt or a document calls a tool that failed.
    ToolFailed,
    /// An image could not be used, and its reference stays as text.
    Image,
    /// The front matter of a skill cannot be read.
    BadFrontMatter,
    /// An old message ends with what looks like a block of references, and it cannot be read.
    UnreadableBlock,
    /// The block does not fit its budget.
    OverBudget,
    /// A model's summary of a turn cannot be parsed, or is empty. It is not stored.
    UnreadableSummary,
    /// A field of a model's summary has a type that the schema does not allow. The field is left out.
    UnreadableField,
    /// A model's summary does not name the user's goal.
    GoalDropped,
    /// A model's summary names no open point, though the task is not finished.
    NoOpenPoint,
    /// A model's summary is longer than what it sums up.
    SummaryTooLong,
}

impl DiagnosticCode {
    /// Its severity.
    #[must_use]
    pub fn severity(self) -> Severity {
        match self {
            Self::UndefinedMacro
            | Self::Image
            | Self::UnreadableBlock
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
    /// Its severity.
    pub severity: Severity,
    /// A stable name of what is wrong.
    pub code: DiagnosticCode,
    /// A sentence about what is wrong, for people. The words may change between versions.
    pub message: String,
    /// The line, counting from 1. For a summary it is 1.
    pub line: u32,
    /// The column, counting from 1, in UTF-16 code units. For a summary it is 1.
    pub column: u32,
    /// The name of the rule, the path of the file, or the field of the summary that it is about. Left out,
    /// it is about the prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

impl Diagnostic {
    /// A diagnostic at a line and a column, both counting from 1.
    #[must_use]
    pub fn new(
        code: DiagnosticCode,
        message: String,
        (line, column): (u32, u32),
        source: Option<String>,
    ) -> Self {
        Self {
            severity: code.severity(),
            code,
            message,
            line,
            column,
            source,
        }
    }
}
