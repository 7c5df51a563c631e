//! Claude Code.

use super::Agent;

#[cfg(feature = "setup")]
mod setup;

pub(super) static AGENT: Agent = Agent {
    name: "claude-code",
    title: "Claude Code",
    #[cfg(feature = "setup")]
    setup: setup::setup,
};
