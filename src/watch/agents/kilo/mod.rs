//! Kilo.

use super::Agent;

#[cfg(feature = "setup")]
mod setup;

pub(super) static AGENT: Agent = Agent {
    name: "kilo",
    title: "Kilo",
    project_variable: None,
    dialect: None,
    #[cfg(feature = "setup")]
    setup: setup::setup,
};
