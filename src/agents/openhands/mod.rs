//! OpenHands.

mod beside;
pub(crate) mod evaluation;
mod folders;
pub(crate) mod reader;
mod sdk;
mod usage;

use crate::agent::Known;

pub(crate) const AGENT: Known = Known {
    name: "openhands",
    title: "OpenHands",
    folders: Some(folders::folders),
    beside: Some(beside::beside),
    ..Known::NOTHING
};
