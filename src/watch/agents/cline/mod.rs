//! Cline.

mod dialect;

use super::Agent;

pub(super) static AGENT: Agent = Agent {
    name: "cline",
    title: "Cline",
    dialect: Some(&dialect::DIALECT),
};
