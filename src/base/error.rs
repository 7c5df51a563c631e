//! The one error type of every machine.
//!
//! Expected outcomes are verdicts and diagnostics. An [`Error`] means that the call itself was
//! wrong: it names the machine, a stable code and, where one field is at fault, that field. The
//! machine is left as it was before the call.

use std::fmt;
use std::sync::Arc;

use serde::Serialize;

/// The kind of an error, as a stable name that a host may switch on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS, documented::DocumentedFields),
    ts(rename = "CoreErrorCode")
)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// An option is unknown, of the wrong type or out of range.
    InvalidConfig,
    /// An argument of a call is of the wrong type or out of range.
    InvalidArgument,
    /// A value is larger or deeper than the documented limit.
    LimitExceeded,
    /// The call does not fit the state of the object: no turn is open, say.
    WrongOrder,
    /// The id is not registered, or no longer.
    UnknownId,
    /// The bytes are truncated or altered, or not a snapshot at all.
    SnapshotCorrupt,
    /// The snapshot was written by a newer version of this library.
    SnapshotVersion,
    /// The snapshot belongs to another machine: one of a loop detector given to an assembler, say.
    WrongMachine,
}

/// A call that was wrong, and where.
///
/// Two errors are equal if they say the same, whatever caused them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Error(Box<Details>);

/// The contents of an [`Error`]. It is boxed, since every result that may be an error has room for
/// one.
#[derive(Debug, Clone, Serialize)]
struct Details {
    code: ErrorCode,
    machine: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<String>,
    message: String,
    #[serde(skip)]
    source: Option<Arc<dyn std::error::Error + Send + Sync>>,
}

impl PartialEq for Details {
    fn eq(&self, other: &Self) -> bool {
        let said = |details: &Self| (details.code, details.machine);
        said(self) == said(other) && self.field == other.field && self.message == other.message
    }
}

impl Eq for Details {}

impl Error {
    /// The refusal of a call of `machine`.
    pub fn new(code: ErrorCode, machine: &'static str, message: impl Into<String>) -> Self {
        Self(Box::new(Details {
            code,
            machine,
            field: None,
            message: message.into(),
            source: None,
        }))
    }

    /// The same, naming the field at fault.
    pub fn at(mut self, field: impl Into<String>) -> Self {
        self.0.field = Some(field.into());
        self
    }

    /// The same, whose message goes on with this.
    pub fn adding(mut self, more: &str) -> Self {
        self.0.message.push_str(more);
        self
    }

    /// The same, with the error that caused it.
    pub fn caused_by(mut self, source: impl std::error::Error + Send + Sync + 'static) -> Self {
        self.0.source = Some(Arc::new(source));
        self
    }

    /// The stable code.
    pub fn code(&self) -> ErrorCode {
        self.0.code
    }

    /// The machine that refused, such as `loop_detector`.
    pub fn machine(&self) -> &'static str {
        self.0.machine
    }

    /// The field at fault, such as `modelCheck.interval`.
    pub fn field(&self) -> Option<&str> {
        self.0.field.as_deref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0.field {
            Some(field) => write!(f, "{}: {field} {}", self.0.machine, self.0.message),
            None => write!(f, "{}: {}", self.0.machine, self.0.message),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        let source = self.0.source.as_deref()?;
        Some(source)
    }
}
