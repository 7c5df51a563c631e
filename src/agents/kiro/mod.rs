//! Kiro.

mod folders;
pub(crate) mod reader;

use crate::agent::Known;

pub(crate) const AGENT: Known = Known {
    name: "kiro",
    title: "Kiro",
    folders: Some(folders::folders),
    ..Known::NOTHING
};
