//! Cline.

mod dialect;

use turnkeeper_messages::Agent as Known;

use super::Agent;

#[cfg(feature = "setup")]
mod setup;

pub(super) static AGENT: Agent = Agent {
    known: Known::Cline,
    project_variable: None,
    dialect: Some(&dialect::DIALECT),
    #[cfg(feature = "setup")]
    setup: setup::setup,
};
