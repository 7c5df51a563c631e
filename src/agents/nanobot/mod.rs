//! nanobot.

mod folders;
pub(crate) mod reader;

use crate::agent::Known;

pub(crate) const AGENT: Known = Known {
    name: "nanobot",
    title: "nanobot",
    folders: Some(folders::folders),
    ..Known::NOTHING
};
