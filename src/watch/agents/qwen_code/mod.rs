//! Qwen Code.

use super::Agent;

#[cfg(feature = "setup")]
mod setup;

pub(super) static AGENT: Agent = Agent {
    name: "qwen-code",
    title: "Qwen Code",
    #[cfg(feature = "setup")]
    setup: setup::setup,
};
