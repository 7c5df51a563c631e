//! Cline.

mod dialect;

use super::Agent;

pub(super) static AGENT: Agent = Agent {
    name: "cline",
    title: "Cline",
    project_variable: None,
    dialect: Some(&dialect::DIALECT),
};
