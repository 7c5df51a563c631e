//! crush.

use super::Agent;

#[cfg(feature = "setup")]
mod setup;

pub(super) static AGENT: Agent = Agent {
    name: "crush",
    title: "crush",
    #[cfg(feature = "setup")]
    setup: setup::setup,
};
