//! Copilot CLI.

use super::Agent;

#[cfg(feature = "setup")]
pub(super) mod setup;

pub(super) static AGENT: Agent = Agent {
    name: "copilot-cli",
    title: "Copilot CLI",
    #[cfg(feature = "setup")]
    setup: setup::setup,
};
