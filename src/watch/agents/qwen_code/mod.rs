//! Qwen Code.

use super::Agent;

pub(super) static AGENT: Agent = Agent {
    name: "qwen-code",
    title: "Qwen Code",
};
