//! Kilo.

use super::Agent;

pub(super) static AGENT: Agent = Agent {
    name: "kilo",
    title: "Kilo",
    dialect: None,
};
