//! Cursor.

mod dialect;
#[cfg(feature = "setup")]
mod setup;

use crate::agent::{Agent, Known, Watched};

pub(crate) const AGENT: Known = Known {
    name: "cursor",
    title: "Cursor",
    folders: None,
    watched: Some(&Watched {
        agent: Agent::Cursor,
        name: "cursor",
        project_variable: None,
        dialect: Some(&dialect::DIALECT),
        #[cfg(feature = "setup")]
        setup: setup::setup,
    }),
};
