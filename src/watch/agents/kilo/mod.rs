//! Kilo.

use super::Agent;

pub(super) static AGENT: Agent = Agent {
    name: "kilo",
    title: "Kilo",
    project_variable: None,
    dialect: None,
};
