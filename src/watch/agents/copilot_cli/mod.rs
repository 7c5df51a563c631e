//! Copilot CLI.

pub(super) mod dialect;

use super::Agent;

#[cfg(feature = "setup")]
pub(super) mod setup;

pub(super) static AGENT: Agent = Agent {
    name: "copilot-cli",
    title: "Copilot CLI",
    project_variable: None,
    dialect: Some(&dialect::DIALECT),
    #[cfg(feature = "setup")]
    setup: setup::setup,
};
