//! The sessions that a command reads: files, folders of them, standard input, and rows of databases.
//!
//! | file | |
//! |---|---|
//! | `input.rs` | one of them |
//! | `database.rs`, `tables.rs` | those in databases |
//! | `search.rs` | the files in a folder |
//! | `event_folder.rs` | OpenHands' folders with a file for each event |
//! | `opencode_storage.rs` | opencode's folders with a file for each session, message and part |
//! | `chunks.rs` | the bytes of a session, piece by piece |

mod chunks;
mod database;
mod event_folder;
mod input;
mod opencode_storage;
mod search;
mod tables;

use std::path::{Path, PathBuf};

use crate::problem::{Problem, Result};

pub(crate) use chunks::Chunks;
pub(crate) use database::{Database, may_be_database};
pub(crate) use input::{Input, written_at};
pub(crate) use search::FolderSearch;

/// The sessions in what was named: files, and those in folders for which `is_wanted`, in the order of their names.
/// A file that is named by itself is always wanted. Of a database, each of its sessions.
///
/// `complain` is told of what cannot be read.
pub(crate) fn find_inputs(
    names: &[PathBuf],
    is_wanted: &dyn Fn(&Path) -> bool,
    complain: &mut dyn FnMut(Problem),
) -> Vec<Input> {
    let mut inputs = Vec::new();
    for name in names {
        let found = if name != Path::new("-") && name.is_dir() {
            FolderSearch::new(name, is_wanted, complain).find()
        } else {
            vec![Input::named(name)]
        };
        for input in found {
            match sessions_in(&input) {
                Ok(sessions) => inputs.extend(sessions),
                Err(problem) => complain(problem),
            }
        }
    }
    inputs
}

/// The sessions of a file: itself, or those of a database.
fn sessions_in(input: &Input) -> Result<Vec<Input>> {
    let is_looked_at = !input.is_found || may_be_database(&input.file);
    if input.parts.is_some() || input.is_standard_input() || !is_looked_at {
        return Ok(vec![input.clone()]);
    }
    match Database::recognised(&input.file) {
        Some(database) => database.sessions(input, f64::NEG_INFINITY),
        None => Ok(vec![input.clone()]),
    }
}
