//! opencode.

use super::Agent;

#[cfg(feature = "setup")]
pub(super) mod setup;

pub(super) static AGENT: Agent = Agent {
    name: "opencode",
    title: "opencode",
    project_variable: None,
    dialect: None,
    #[cfg(feature = "setup")]
    setup: setup::setup,
};
