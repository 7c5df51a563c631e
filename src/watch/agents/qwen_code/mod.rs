//! Qwen Code.

mod dialect;

use super::Agent;

pub(super) static AGENT: Agent = Agent {
    name: "qwen-code",
    title: "Qwen Code",
    project_variable: Some("QWEN_PROJECT_DIR"),
    dialect: Some(&dialect::DIALECT),
};
