//! Copilot CLI.

pub(super) mod dialect;

use turnkeeper_messages::Agent as Known;

use super::Agent;

#[cfg(feature = "setup")]
pub(super) mod setup;

pub(super) static AGENT: Agent = Agent {
    known: Known::CopilotCli,
    project_variable: None,
    dialect: Some(&dialect::DIALECT),
    #[cfg(feature = "setup")]
    setup: setup::setup,
};
