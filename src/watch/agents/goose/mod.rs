//! goose.

mod dialect;

use super::Agent;

pub(super) static AGENT: Agent = Agent {
    name: "goose",
    title: "goose",
    dialect: Some(&dialect::DIALECT),
};
