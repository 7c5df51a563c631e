//! Codex.

mod beside;
mod dialect;
mod folders;
pub(crate) mod messages;
mod plain_lines;
pub(crate) mod reader;
#[cfg(feature = "setup")]
mod setup;
pub(crate) mod stream;

use crate::agent::{Agent, Known, Watched};

pub(crate) const AGENT: Known = Known {
    name: "codex",
    title: "Codex",
    folders: Some(folders::folders),
    beside: Some(beside::beside),
    watched: Some(&Watched {
        dialect: Some(&dialect::DIALECT),
        #[cfg(feature = "setup")]
        setup: setup::setup,
        ..Watched::called(Agent::Codex, "codex")
    }),
    ..Known::NOTHING
};
