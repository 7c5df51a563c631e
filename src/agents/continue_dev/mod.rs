//! Continue.

mod folders;
pub(crate) mod reader;

use crate::agent::Known;

pub(crate) const AGENT: Known = Known {
    name: "continue",
    title: "Continue",
    folders: Some(folders::folders),
    ..Known::NOTHING
};
