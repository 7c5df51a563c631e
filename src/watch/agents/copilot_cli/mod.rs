//! Copilot CLI.

use super::Agent;

pub(super) static AGENT: Agent = Agent {
    name: "copilot-cli",
    title: "Copilot CLI",
};
