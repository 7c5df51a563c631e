//! Claude Code.

mod dialect;

use super::Agent;

#[cfg(feature = "setup")]
mod setup;

pub(super) static AGENT: Agent = Agent {
    name: "claude-code",
    title: "Claude Code",
    project_variable: Some("CLAUDE_PROJECT_DIR"),
    dialect: Some(&dialect::DIALECT),
    #[cfg(feature = "setup")]
    setup: setup::setup,
};
