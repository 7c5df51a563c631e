//! gemini-cli.

use super::Agent;

#[cfg(feature = "setup")]
pub(super) mod setup;

pub(super) static AGENT: Agent = Agent {
    name: "gemini-cli",
    title: "gemini-cli",
    #[cfg(feature = "setup")]
    setup: setup::setup,
};
