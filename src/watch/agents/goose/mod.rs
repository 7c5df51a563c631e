//! goose.

use super::Agent;

pub(super) static AGENT: Agent = Agent {
    name: "goose",
    title: "goose",
};
