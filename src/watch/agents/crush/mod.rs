//! crush.

mod dialect;

use super::Agent;

pub(super) static AGENT: Agent = Agent {
    name: "crush",
    title: "crush",
    project_variable: None,
    dialect: Some(&dialect::DIALECT),
};
