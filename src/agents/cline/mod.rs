//! Cline.

mod beside;
mod dialect;
pub(crate) mod folders;
#[cfg(feature = "setup")]
mod setup;
pub(crate) mod ui_messages;

use crate::agent::{Agent, Known, Watched};

pub(crate) const AGENT: Known = Known {
    name: "cline",
    title: "Cline",
    folders: Some(folders::folders),
    beside: Some(beside::beside),
    watched: Some(&Watched {
        dialect: Some(&dialect::DIALECT),
        #[cfg(feature = "setup")]
        setup: setup::setup,
        ..Watched::called(Agent::Cline, "cline")
    }),
    ..Known::NOTHING
};
