//! Copilot in VS Code.

use super::{Agent, copilot_cli};

pub(super) static AGENT: Agent = Agent {
    name: "vscode-copilot",
    title: "Copilot in VS Code",
    dialect: Some(&copilot_cli::dialect::DIALECT),
};
