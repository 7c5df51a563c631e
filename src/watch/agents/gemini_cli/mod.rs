//! gemini-cli.

mod dialect;

use super::Agent;

pub(super) static AGENT: Agent = Agent {
    name: "gemini-cli",
    title: "gemini-cli",
    dialect: Some(&dialect::DIALECT),
};
