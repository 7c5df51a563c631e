//! Kilo Code.

mod folders;
#[cfg(feature = "setup")]
mod setup;

use crate::agent::{Agent, Known, Watched};

pub(crate) const AGENT: Known = Known {
    name: "kilo",
    title: "Kilo Code",
    folders: Some(folders::folders),
    watched: Some(&Watched {
        #[cfg(feature = "setup")]
        setup: setup::setup,
        ..Watched::called(Agent::Kilo, "kilo")
    }),
    ..Known::NOTHING
};
