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
        agent: Agent::Kilo,
        name: "kilo",
        hook: "kilo",
        project_variable: None,
        dialect: None,
        #[cfg(feature = "setup")]
        setup: setup::setup,
    }),
    ..Known::NOTHING
};
