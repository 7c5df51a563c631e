//! Kilo.

use turnkeeper_messages::Agent as Known;

use super::Agent;

#[cfg(feature = "setup")]
mod setup;

pub(super) static AGENT: Agent = Agent {
    known: Known::Kilo,
    project_variable: None,
    dialect: None,
    #[cfg(feature = "setup")]
    setup: setup::setup,
};
