//! Cursor.

use super::Agent;

pub(super) static AGENT: Agent = Agent {
    name: "cursor",
    title: "Cursor",
};
