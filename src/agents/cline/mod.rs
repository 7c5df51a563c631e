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
        agent: Agent::Cline,
        name: "cline",
        hook: "cline",
        project_variable: None,
        dialect: Some(&dialect::DIALECT),
        #[cfg(feature = "setup")]
        setup: setup::setup,
    }),
    ..Known::NOTHING
};
