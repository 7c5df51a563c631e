//! goose.

mod dialect;

use super::Agent;

pub(super) static AGENT: Agent = Agent {
    name: "goose",
    title: "goose",
    project_variable: None,
    dialect: Some(&dialect::DIALECT),
};
