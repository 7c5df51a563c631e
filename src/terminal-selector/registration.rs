//! Terminals as a host tells of them, and as it can read them back.

use std::fmt;

use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize};

use super::shell::{as_name, from_name_or_path};
use super::{DirectoryCertainty, TerminalShell};

/// A terminal that a command may be sent to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct TerminalRegistration {
    /// The host's number for it: an integer from 0 to 9,007,199,254,740,991.
    pub id: u64,
    /// The provider that runs it, such as `vscode` or `execa`. A request only considers terminals of its own provider.
    pub provider: String,
    /// The shell's name, or the path of its program. A shell that no command line can be written for
    /// counts as `other`. Left out, it is not known.
    #[serde(default, deserialize_with = "from_name_or_path")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "Shell | (string & {})"))]
    pub shell: Option<TerminalShell>,
    /// Its working directory, an absolute path. Left out or `null`, it is not known, and the terminal is not
    /// chosen until it is.
    #[cfg_attr(feature = "typescript", ts(optional, type = "string | null"))]
    pub working_directory: Option<String>,
    /// The task that it is bound to.
    pub task_id: Option<String>,
    /// Whether a command runs in it. Default: `false`.
    pub busy: Option<bool>,
}

impl TerminalRegistration {
    /// An idle terminal of which no more is known.
    #[must_use]
    pub fn new(id: u64, provider: impl Into<String>) -> Self {
        Self {
            id,
            provider: provider.into(),
            ..Self::default()
        }
    }
}

/// A directory in a list of terminals that cannot be understood. The terminal's is unknown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct UnknownDirectory {
    /// The terminal's number.
    pub id: u64,
    /// Its place in the list, such as `terminals[2].workingDirectory`.
    pub field: String,
    /// The reason why it cannot be understood.
    pub message: String,
}

/// The changes of a terminal. Several changes in one call are made in the order of these fields.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", default)]
pub struct TerminalChange {
    /// It was closed. Its id may be used for another terminal.
    #[cfg_attr(feature = "typescript", ts(optional, type = "true"))]
    pub closed: bool,
    /// The task that it is bound to from now on, or `null` for none.
    #[serde(deserialize_with = "string_or_null")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "string | null"))]
    pub task_id: Option<Option<String>>,
    /// It was reset to the state of a new terminal: its changes of directory count from 0 again, and its
    /// environment counts as unchanged.
    #[cfg_attr(feature = "typescript", ts(optional, type = "true"))]
    pub reset: bool,
    /// A command could not be run in it. It is never chosen again, not even after a reset.
    #[cfg_attr(feature = "typescript", ts(optional, type = "true"))]
    pub failed: bool,
    /// The names of environment variables that have changed. They are added to those that were told
    /// before.
    #[cfg_attr(feature = "typescript", ts(optional, type = "Array<string>"))]
    pub environment: Vec<String>,
    /// Its working directory, as its shell reports it, or `null` if that cannot be known. What is reported
    /// here comes before what a command was expected to do.
    #[serde(deserialize_with = "string_or_null")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "string | null"))]
    pub working_directory: Option<Option<String>>,
    /// Whether a command runs in it. Either value ends the reservation that `select` made. `false` says
    /// that the command ended: the terminal is then where that command leads, unless a directory was
    /// reported after it began.
    pub busy: Option<bool>,
    /// The host cannot see when the command in it ends. The terminal stays busy until the host says
    /// otherwise, still counts toward `maxTerminals`, and is the first to be closed.
    #[cfg_attr(feature = "typescript", ts(optional, type = "true"))]
    pub unobserved: bool,
}

/// A terminal as it is known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct TerminalState {
    /// The host's number for it.
    pub id: u64,
    /// The provider that runs it.
    pub provider: String,
    /// Its shell. Left out, it is not known.
    #[serde(serialize_with = "as_name", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "Shell | \"other\""))]
    pub shell: Option<TerminalShell>,
    /// Whether a command runs in it, or `select` has reserved it for one.
    pub busy: bool,
    /// Whether a command could not be run in it.
    pub failed: bool,
    /// The task that it is bound to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task_id: Option<String>,
    /// Its working directory, as the host wrote it. Left out, it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub working_directory: Option<String>,
    /// The certainty of the working directory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub directory: Option<DirectoryCertainty>,
    /// Whether a choice has named it in `close`. It is never chosen again.
    pub closing: bool,
    /// The times that it was led to another directory since it was created or reset.
    pub directory_changes: u32,
    /// The names of environment variables that have changed, sorted.
    pub environment: Vec<String>,
}

/// Tells `null`, which is `Some(None)`, from a field that is left out, which is `None`.
fn string_or_null<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Option<String>>, D::Error> {
    struct StringOrNull;
    impl Visitor<'_> for StringOrNull {
        type Value = Option<String>;

        fn expecting(&self, to: &mut fmt::Formatter) -> fmt::Result {
            to.write_str("a string or null")
        }

        fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
            Ok(None)
        }

        fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
            Ok(Some(text.to_owned()))
        }
    }
    from.deserialize_any(StringOrNull).map(Some)
}
