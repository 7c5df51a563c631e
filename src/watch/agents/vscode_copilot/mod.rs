//! Copilot in VS Code.

use turnkeeper_messages::Agent as Known;

use super::{Agent, copilot_cli};

#[cfg(feature = "setup")]
mod setup;

pub(super) static AGENT: Agent = Agent {
    known: Known::CopilotChat,
    project_variable: None,
    dialect: Some(&copilot_cli::dialect::DIALECT),
    #[cfg(feature = "setup")]
    setup: setup::setup,
};
