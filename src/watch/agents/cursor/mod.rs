//! Cursor.

mod dialect;

use super::Agent;

pub(super) static AGENT: Agent = Agent {
    name: "cursor",
    title: "Cursor",
    project_variable: None,
    dialect: Some(&dialect::DIALECT),
};
