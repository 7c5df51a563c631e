//! opencode.

use super::Agent;

pub(super) static AGENT: Agent = Agent {
    name: "opencode",
    title: "opencode",
    project_variable: None,
    dialect: None,
};
