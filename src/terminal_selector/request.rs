//! What a host asks for.

use serde::{Deserialize, Serialize};

use super::Shell;

/// A command, and where it is to run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct TerminalRequest {
    /// One line or several, in the words of the terminal's shell. It is read for where it leaves the
    /// shell. Left out, the choice's command is the change of directory alone, or empty: for hosts
    /// that pick the terminal first. What then runs is not known, so the directory is uncertain after
    /// it until it is reported.
    pub command: Option<String>,
    /// The directory that it is to run in, absolute.
    pub working_directory: String,
    /// The task whose terminals are preferred, and to which the chosen one is bound.
    pub task_id: Option<String>,
    /// Who runs the terminals that are considered, such as `vscode` or `execa`.
    pub provider: String,
    /// The shell that the command is written for. Terminals of which another one is known are not
    /// considered.
    pub shell: Option<Shell>,
    /// Whether terminals whose environment has changed are left out; true for a terminal that
    /// another task had, false for all others.
    pub clean_environment: Option<bool>,
}

impl TerminalRequest {
    /// A request of no task, for a terminal of any shell.
    #[must_use]
    pub fn new(
        command: impl Into<String>,
        working_directory: impl Into<String>,
        provider: impl Into<String>,
    ) -> Self {
        Self {
            command: Some(command.into()),
            working_directory: working_directory.into(),
            task_id: None,
            provider: provider.into(),
            shell: None,
            clean_environment: None,
        }
    }
}
