//! Problems, to be reported to whoever wrote a prompt, a document or a summary. Each machine has its own codes.

use serde::Serialize;

/// The severity of a diagnostic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS, documented::DocumentedFields)
)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Something could not be done.
    Error,
    /// It was done, but perhaps not in the way that was meant.
    Warning,
}

/// The codes of a machine, each a stable name of a kind of problem.
pub trait Code: Copy {
    /// The severity of a diagnostic with this code.
    fn severity(self) -> Severity;
}

/// Something to tell whoever wrote a prompt, a document or a summary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(optional_fields, concrete(C = String))
)]
#[serde(rename_all = "camelCase")]
pub struct Diagnostic<C> {
    /// Its severity.
    pub severity: Severity,
    /// A stable name of the kind of problem.
    #[cfg_attr(feature = "typescript", ts(type = "DiagnosticCode"))]
    pub code: C,
    /// The problem, for people. The words may change between versions.
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

impl<C: Code> Diagnostic<C> {
    /// A diagnostic at a line and a column, both counting from 1.
    #[must_use]
    pub fn new(
        code: C,
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
