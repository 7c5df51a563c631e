//! Cline.

use super::Agent;

pub(super) static AGENT: Agent = Agent {
    name: "cline",
    title: "Cline",
};
