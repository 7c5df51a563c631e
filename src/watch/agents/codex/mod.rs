//! Codex.

use super::Agent;

pub(super) static AGENT: Agent = Agent {
    name: "codex",
    title: "Codex",
};
