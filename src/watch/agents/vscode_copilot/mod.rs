//! Copilot in VS Code.

use super::Agent;

#[cfg(feature = "setup")]
mod setup;

pub(super) static AGENT: Agent = Agent {
    name: "vscode-copilot",
    title: "Copilot in VS Code",
    #[cfg(feature = "setup")]
    setup: setup::setup,
};
