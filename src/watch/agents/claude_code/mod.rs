//! Claude Code.

use super::Agent;

pub(super) static AGENT: Agent = Agent {
    name: "claude-code",
    title: "Claude Code",
};
