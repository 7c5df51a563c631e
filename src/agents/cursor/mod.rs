//! Cursor.

mod dialect;
#[cfg(feature = "setup")]
mod setup;

use crate::agent::{Agent, Known, Watched};

pub(crate) const AGENT: Known = Known {
    name: "cursor",
    title: "Cursor",
    watched: Some(&Watched {
        dialect: Some(&dialect::DIALECT),
        #[cfg(feature = "setup")]
        setup: setup::setup,
        ..Watched::called(Agent::Cursor, "cursor")
    }),
    ..Known::NOTHING
};
