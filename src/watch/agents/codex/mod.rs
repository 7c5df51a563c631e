//! Codex.

use super::Agent;

#[cfg(feature = "setup")]
mod setup;

pub(super) static AGENT: Agent = Agent {
    name: "codex",
    title: "Codex",
    #[cfg(feature = "setup")]
    setup: setup::setup,
};
