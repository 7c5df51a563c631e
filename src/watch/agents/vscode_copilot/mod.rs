//! Copilot in VS Code.

use super::{Agent, copilot_cli};

#[cfg(feature = "setup")]
mod setup;

pub(super) static AGENT: Agent = Agent {
    name: "vscode-copilot",
    title: "Copilot in VS Code",
    project_variable: None,
    dialect: Some(&copilot_cli::dialect::DIALECT),
    #[cfg(feature = "setup")]
    setup: setup::setup,
};
