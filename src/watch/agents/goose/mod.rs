//! goose.

use super::Agent;

#[cfg(feature = "setup")]
mod setup;

pub(super) static AGENT: Agent = Agent {
    name: "goose",
    title: "goose",
    #[cfg(feature = "setup")]
    setup: setup::setup,
};
