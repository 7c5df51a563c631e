//! The request of a host.

use serde::Deserialize;

use super::Shell;

/// A command, and where it is to run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct TerminalRequest {
    /// The command, of one line or several, in the language of the terminal's shell. The selector reads it
    /// to tell in which directory it leaves the shell. Hosts that pick the terminal before they know the
    /// command leave it out: then the choice's command is only the change of directory, or empty, and the
    /// directory is uncertain afterwards until it is reported. Once the command is known, ask again with it
    /// and the `terminalId`.
    pub command: Option<String>,
    /// The directory to run it in: an absolute path. Left out, it is where the task left off: where the
    /// last command of the task leaves its terminal, or, with `terminalId`, where that terminal is.
    pub working_directory: Option<String>,
    /// A terminal that is chosen already. It is the only one considered, from wherever it is, and however
    /// often its directory was changed; an earlier choice of it for the same task is taken back.
    pub terminal_id: Option<u64>,
    /// The task that the command belongs to. Its own terminals are preferred, and the chosen one is bound to
    /// it. Default: none, or, with `terminalId`, the one that terminal is bound to.
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
            working_directory: Some(working_directory.into()),
            provider: provider.into(),
            ..Self::default()
        }
    }
}
