//! The one error type of every machine.
//!
//! Expected outcomes are verdicts and diagnostics. An [`Error`] means that the call itself was
//! wrong: it names the machine, a stable code and, where one field is at fault, that field. The
//! machine is left as it was before the call.

use std::fmt;

use serde::Serialize;

/// What went wrong, as a stable name that a host may switch on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ErrorCode {
    /// An option is unknown, of the wrong type or out of range.
    InvalidConfig,
    /// An argument of a call is of the wrong type or out of range.
    InvalidArgument,
    /// A value is larger or deeper than the documented limit.
    LimitExceeded,
    /// A call came at a time at which it makes no sense.
    WrongOrder,
    /// An id was never registered, or is no longer.
    UnknownId,
    /// A snapshot is cut, altered or not a snapshot at all.
    SnapshotCorrupt,
    /// A snapshot was written by a newer version of this library.
    SnapshotVersion,
    /// A snapshot belongs to another machine.
    WrongMachine,
    /// The object was disposed of.
    Disposed,
    /// An earlier call on this object panicked; make a new one.
    Poisoned,
    /// `turnkeeper/slim` was used before its `init`.
    NotInitialized,
    /// The page's content security policy forbids compiling WebAssembly.
    CspBlocksWasm,
}

/// A call that was wrong, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Error(Box<Wrong>);

/// Boxed, since every result that may be an error has room for one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Wrong {
    code: ErrorCode,
    machine: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<String>,
    message: String,
}

impl Error {
    pub(crate) fn new(code: ErrorCode, machine: &'static str, message: impl Into<String>) -> Self {
        Self(Box::new(Wrong {
            code,
            machine,
            field: None,
            message: message.into(),
        }))
    }

    pub(crate) fn at(mut self, field: impl Into<String>) -> Self {
        self.0.field = Some(field.into());
        self
    }

    /// The same, of an argument of a call.
    #[cfg_attr(not(target_family = "wasm"), allow(dead_code))]
    pub(crate) fn of_argument(mut self, field: &str) -> Self {
        self.0.code = ErrorCode::InvalidArgument;
        self.at(field)
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

impl std::error::Error for Error {}
