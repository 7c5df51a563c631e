//! Kilo.

use super::Agent;

#[cfg(feature = "setup")]
mod setup;

pub(super) static AGENT: Agent = Agent {
    name: "kilo",
    title: "Kilo",
    #[cfg(feature = "setup")]
    setup: setup::setup,
};
