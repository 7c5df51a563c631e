//! pi.

use super::Agent;

pub(super) static AGENT: Agent = Agent {
    name: "pi",
    title: "pi",
    project_variable: None,
    dialect: None,
};
