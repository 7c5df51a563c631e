//! Cursor.

mod dialect;

use super::Agent;

pub(super) static AGENT: Agent = Agent {
    name: "cursor",
    title: "Cursor",
    dialect: Some(&dialect::DIALECT),
};
