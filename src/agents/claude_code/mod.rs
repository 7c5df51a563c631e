//! Claude Code.

mod dialect;
mod folders;
pub(crate) mod reader;
#[cfg(feature = "setup")]
mod setup;

use crate::agent::{Agent, Known, Watched};

pub(crate) const AGENT: Known = Known {
    name: "claude-code",
    title: "Claude Code",
    folders: Some(folders::folders),
    watched: Some(&Watched {
        project_variable: Some("CLAUDE_PROJECT_DIR"),
        dialect: Some(&dialect::DIALECT),
        #[cfg(feature = "setup")]
        setup: setup::setup,
        ..Watched::called(Agent::ClaudeCode, "claude-code")
    }),
    ..Known::NOTHING
};
