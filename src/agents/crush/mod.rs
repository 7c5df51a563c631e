//! crush.

mod database;
mod dialect;
mod folders;
pub(crate) mod reader;
#[cfg(feature = "setup")]
mod setup;

use crate::agent::{Agent, Known, Watched};

pub(crate) const AGENT: Known = Known {
    name: "crush",
    title: "crush",
    folders: Some(folders::folders),
    beside: None,
    database: Some(&database::TABLES),
    watched: Some(&Watched {
        dialect: Some(&dialect::DIALECT),
        #[cfg(feature = "setup")]
        setup: setup::setup,
        ..Watched::called(Agent::Crush, "crush")
    }),
};
