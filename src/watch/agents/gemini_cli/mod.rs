//! gemini-cli.

mod dialect;

use super::Agent;

#[cfg(feature = "setup")]
pub(super) mod setup;

pub(super) static AGENT: Agent = Agent {
    name: "gemini-cli",
    title: "gemini-cli",
    project_variable: Some("GEMINI_PROJECT_DIR"),
    dialect: Some(&dialect::DIALECT),
    #[cfg(feature = "setup")]
    setup: setup::setup,
};
