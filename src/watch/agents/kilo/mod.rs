//! Kilo.

use super::Agent;

#[cfg(feature = "setup")]
mod setup;

pub(super) static AGENT: Agent = Agent {
    name: "kilo",
    title: "Kilo",
    dialect: None,
    #[cfg(feature = "setup")]
    setup: setup::setup,
};
