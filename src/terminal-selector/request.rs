//! What a host asks for.

use serde::{Deserialize, Serialize};

use super::Shell;

/// A command, and where it is to run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct TerminalRequest {
    /// The command, of one line or several, in the language of the terminal's shell. The selector reads it
    /// to tell in which directory it leaves the shell. Hosts that pick the terminal before they know the
    /// command leave it out: then the choice's command is only the change of directory, or empty, and the
    /// directory is uncertain afterwards until it is reported.
    pub command: Option<String>,
    /// The directory to run it in: an absolute path.
    pub working_directory: String,
    /// The task that the command belongs to. Its own terminals are preferred, and the chosen one is bound to
    /// it.
    pub task_id: Option<String>,
    /// The provider whose terminals are considered, such as `vscode` or `execa`.
    pub provider: String,
    /// The shell that the command is written for. Terminals that are known to run another one are not
    /// considered.
    pub shell: Option<Shell>,
    /// Whether terminals whose environment has changed are left out. Default: only those are left out that
    /// another task used before.
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
