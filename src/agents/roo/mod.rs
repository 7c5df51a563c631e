//! Roo Code.

mod folders;

use crate::agent::Known;

pub(crate) const AGENT: Known = Known {
    name: "roo",
    title: "Roo Code",
    folders: Some(folders::folders),
    ..Known::NOTHING
};
