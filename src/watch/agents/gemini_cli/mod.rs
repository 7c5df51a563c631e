//! gemini-cli.

mod dialect;

use turnkeeper_messages::Agent as Known;

use super::Agent;

#[cfg(feature = "setup")]
pub(super) mod setup;

pub(super) static AGENT: Agent = Agent {
    known: Known::GeminiCli,
    project_variable: Some("GEMINI_PROJECT_DIR"),
    dialect: Some(&dialect::DIALECT),
    #[cfg(feature = "setup")]
    setup: setup::setup,
};
