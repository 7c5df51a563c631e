//! opencode.

mod database;
mod folders;
pub(crate) mod reader;
#[cfg(feature = "setup")]
pub(crate) mod setup;
mod usage;

use crate::agent::{Agent, Known, Watched};

pub(crate) const AGENT: Known = Known {
    name: "opencode",
    title: "opencode",
    folders: Some(folders::folders),
    beside: None,
    database: Some(&database::TABLES),
    watched: Some(&Watched {
        #[cfg(feature = "setup")]
        setup: setup::setup,
        ..Watched::called(Agent::Opencode, "opencode")
    }),
};
