//! Copilot CLI.

mod beside;
pub(crate) mod dialect;
mod folders;
pub(crate) mod reader;
#[cfg(feature = "setup")]
pub(crate) mod setup;
mod usage;

use crate::agent::{Agent, Known, Watched};

pub(crate) const AGENT: Known = Known {
    name: "copilot-cli",
    title: "Copilot CLI",
    folders: Some(folders::folders),
    beside: Some(beside::beside),
    watched: Some(&Watched {
        dialect: Some(&dialect::DIALECT),
        #[cfg(feature = "setup")]
        setup: setup::setup,
        ..Watched::called(Agent::CopilotCli, "copilot-cli")
    }),
    ..Known::NOTHING
};
