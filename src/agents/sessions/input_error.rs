//! The reason why a file is not read.

use std::borrow::Cow;
use std::fmt;

use serde::Serialize;

/// Why nothing of a file could be read. The message is for the user.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct InputError {
    /// The name of the file, as it was given.
    pub file: String,
    /// It completes "the file …", or "line 3: …" if there is a line.
    pub reason: Cow<'static, str>,
    /// The line, from 1; none if the whole file is meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The kind of the failure.
    pub kind: InputFailure,
}

/// The kinds of failures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum InputFailure {
    /// A session that cannot be read.
    Broken,
    /// A file with which nothing is wrong, but it is no session.
    Unknown,
    /// A file that says nothing.
    Empty,
}

impl InputError {
    /// Of a whole file.
    pub(crate) fn new(
        file: &str,
        kind: InputFailure,
        reason: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self {
            file: file.to_owned(),
            reason: reason.into(),
            line: None,
            kind,
        }
    }

    /// Of a file in no format that is read.
    pub(crate) fn no_format(file: &str, what: &str) -> Self {
        let reason = format!("is in no format that turnkeeper reads: {what}");
        Self::new(file, InputFailure::Unknown, reason)
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, reason, .. } = self;
        match self.line {
            None => write!(f, "{file} {reason}"),
            Some(line) => write!(f, "{file}, line {line}: {reason}"),
        }
    }
}

impl std::error::Error for InputError {}
