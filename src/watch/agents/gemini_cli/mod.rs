//! gemini-cli.

mod dialect;

use super::Agent;

pub(super) static AGENT: Agent = Agent {
    name: "gemini-cli",
    title: "gemini-cli",
    project_variable: Some("GEMINI_PROJECT_DIR"),
    dialect: Some(&dialect::DIALECT),
};
