//! Hermes.

mod database;
mod folders;
pub(crate) mod reader;

use crate::agent::Known;

pub(crate) const AGENT: Known = Known {
    name: "hermes",
    title: "Hermes",
    folders: Some(folders::folders),
    database: Some(&database::TABLES),
    ..Known::NOTHING
};
