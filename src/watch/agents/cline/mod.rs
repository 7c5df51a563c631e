//! Cline.

use super::Agent;

#[cfg(feature = "setup")]
mod setup;

pub(super) static AGENT: Agent = Agent {
    name: "cline",
    title: "Cline",
    #[cfg(feature = "setup")]
    setup: setup::setup,
};
