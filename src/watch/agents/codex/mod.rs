//! Codex.

mod dialect;

use super::Agent;

pub(super) static AGENT: Agent = Agent {
    name: "codex",
    title: "Codex",
    dialect: Some(&dialect::DIALECT),
};
