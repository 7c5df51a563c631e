//! crush.

mod dialect;

use super::Agent;

pub(super) static AGENT: Agent = Agent {
    name: "crush",
    title: "crush",
    dialect: Some(&dialect::DIALECT),
};
