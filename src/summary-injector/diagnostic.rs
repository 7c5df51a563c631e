//! Problems of a model's summary.

use serde::Serialize;

pub use turnkeeper_base::diagnostic::Severity;
use turnkeeper_base::diagnostic::{self, Code};

/// Something to tell about a model's summary.
pub type Diagnostic = diagnostic::Diagnostic<DiagnosticCode>;

/// The problems of a model's summary, as stable names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS, documented::DocumentedFields),
    ts(rename = "SummaryDiagnosticCode")
)]
#[serde(rename_all = "snake_case")]
pub enum DiagnosticCode {
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

impl Code for DiagnosticCode {
    fn severity(self) -> Severity {
        match self {
            Self::GoalDropped | Self::NoOpenPoint | Self::SummaryTooLong => Severity::Warning,
            Self::UnreadableSummary | Self::UnreadableField => Severity::Error,
        }
    }
}
