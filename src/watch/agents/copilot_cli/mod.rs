//! Copilot CLI.

pub(super) mod dialect;

use super::Agent;

pub(super) static AGENT: Agent = Agent {
    name: "copilot-cli",
    title: "Copilot CLI",
    project_variable: None,
    dialect: Some(&dialect::DIALECT),
};
