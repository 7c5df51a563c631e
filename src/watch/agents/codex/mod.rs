//! Codex.

mod dialect;

use super::Agent;

pub(super) static AGENT: Agent = Agent {
    name: "codex",
    title: "Codex",
    project_variable: None,
    dialect: Some(&dialect::DIALECT),
};
