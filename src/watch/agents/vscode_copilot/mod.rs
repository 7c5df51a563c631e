//! Copilot in VS Code.

use super::Agent;

pub(super) static AGENT: Agent = Agent {
    name: "vscode-copilot",
    title: "Copilot in VS Code",
};
