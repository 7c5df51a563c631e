//! Problems of a text that is read.

pub use crate::diagnostic::{Diagnostic, DiagnosticCode, Severity};

/// What is wrong at an offset of a text, whose line is not known yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) offset: usize,
    pub(crate) code: DiagnosticCode,
    pub(crate) message: String,
}

impl Problem {
    pub(crate) fn new(offset: usize, code: DiagnosticCode, message: impl Into<String>) -> Self {
        Self {
            offset,
            code,
            message: message.into(),
        }
    }

    /// The diagnostic of a problem whose place is known.
    pub(crate) fn at(self, line: u32, column: u32, source: Option<String>) -> Diagnostic {
        Diagnostic {
            severity: self.code.severity(),
            code: self.code,
            message: self.message,
            line,
            column,
            source,
        }
    }
}
