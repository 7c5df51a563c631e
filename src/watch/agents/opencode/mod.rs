//! opencode.

use super::Agent;

pub(super) static AGENT: Agent = Agent {
    name: "opencode",
    title: "opencode",
    dialect: None,
};
