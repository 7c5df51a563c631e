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
        agent: Agent::Pi,
        name: "pi",
        hook: "pi",
        project_variable: None,
        dialect: None,
        #[cfg(feature = "setup")]
        setup: setup::setup,
    }),
    ..Known::NOTHING
};
