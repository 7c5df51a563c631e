//! pi.

use super::Agent;

#[cfg(feature = "setup")]
mod setup;

pub(super) static AGENT: Agent = Agent {
    name: "pi",
    title: "pi",
    project_variable: None,
    dialect: None,
    #[cfg(feature = "setup")]
    setup: setup::setup,
};
