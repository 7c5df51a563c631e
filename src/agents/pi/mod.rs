//! pi.

mod folders;
pub(crate) mod reader;
#[cfg(feature = "setup")]
mod setup;

use crate::agent::{Agent, Known, Watched};

pub(crate) const AGENT: Known = Known {
    name: "pi",
    title: "pi",
    folders: Some(folders::folders),
    watched: Some(&Watched {
        #[cfg(feature = "setup")]
        setup: setup::setup,
        ..Watched::called(Agent::Pi, "pi")
    }),
    ..Known::NOTHING
};
