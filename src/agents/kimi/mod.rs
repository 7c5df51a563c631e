//! Kimi CLI.

mod code;
mod folders;
pub(crate) mod reader;

use crate::agent::Known;

pub(crate) const AGENT: Known = Known {
    name: "kimi",
    title: "Kimi CLI",
    folders: Some(folders::folders),
    ..Known::NOTHING
};
