//! Qwen Code.

mod dialect;

use super::Agent;

pub(super) static AGENT: Agent = Agent {
    name: "qwen-code",
    title: "Qwen Code",
    dialect: Some(&dialect::DIALECT),
};
