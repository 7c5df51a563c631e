//! gemini-cli.

mod beside;
mod dialect;
mod folders;
pub(crate) mod reader;
#[cfg(feature = "setup")]
pub(crate) mod setup;
pub(crate) mod stream;

use crate::agent::{Agent, Known, Watched};

pub(crate) const AGENT: Known = Known {
    name: "gemini-cli",
    title: "gemini-cli",
    folders: Some(folders::folders),
    beside: Some(beside::beside),
    watched: Some(&Watched {
        project_variable: Some("GEMINI_PROJECT_DIR"),
        dialect: Some(&dialect::DIALECT),
        #[cfg(feature = "setup")]
        setup: setup::setup,
        ..Watched::called(Agent::GeminiCli, "gemini-cli")
    }),
    ..Known::NOTHING
};
