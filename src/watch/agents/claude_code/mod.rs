//! Claude Code.

mod dialect;

use super::Agent;

pub(super) static AGENT: Agent = Agent {
    name: "claude-code",
    title: "Claude Code",
    dialect: Some(&dialect::DIALECT),
};
