//! CodeBuddy.

mod folders;
pub(crate) mod reader;

use crate::agent::Known;

pub(crate) const AGENT: Known = Known {
    name: "codebuddy",
    title: "CodeBuddy",
    folders: Some(folders::folders),
    ..Known::NOTHING
};
