//! Cursor.

use super::Agent;

#[cfg(feature = "setup")]
mod setup;

pub(super) static AGENT: Agent = Agent {
    name: "cursor",
    title: "Cursor",
    #[cfg(feature = "setup")]
    setup: setup::setup,
};
