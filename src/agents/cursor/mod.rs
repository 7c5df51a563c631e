//! Cursor.

mod dialect;
#[cfg(feature = "setup")]
mod setup;

use crate::agent::{Agent, Known, Watched};

pub(crate) const AGENT: Known = Known {
    name: "cursor",
    title: "Cursor",
    watched: Some(&Watched {
        agent: Agent::Cursor,
        name: "cursor",
        hook: "cursor",
        project_variable: None,
        dialect: Some(&dialect::DIALECT),
        #[cfg(feature = "setup")]
        setup: setup::setup,
    }),
    ..Known::NOTHING
};
