//! Qwen Code.

mod dialect;

use super::Agent;

#[cfg(feature = "setup")]
mod setup;

pub(super) static AGENT: Agent = Agent {
    name: "qwen-code",
    title: "Qwen Code",
    project_variable: Some("QWEN_PROJECT_DIR"),
    dialect: Some(&dialect::DIALECT),
    #[cfg(feature = "setup")]
    setup: setup::setup,
};
