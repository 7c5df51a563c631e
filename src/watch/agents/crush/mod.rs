//! crush.

use super::Agent;

pub(super) static AGENT: Agent = Agent {
    name: "crush",
    title: "crush",
};
