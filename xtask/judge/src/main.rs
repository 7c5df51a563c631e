//! `cargo xtask judge [FOLDER…]`: how the loop detector does on labelled sessions.
//!
//! A folder has an `index.tsv` (`id`, `label`, `loop_starts_at_call`, and `type`, `agent` and `set` where
//! they are known) and one `<id>.jsonl` with a session's events for each of its lines. The sessions are read once and
//! judged on all cores, so a change of a rule is seen in seconds.

#![forbid(unsafe_code)]

mod arguments;
mod evidence;
mod held_out;
mod player;
mod score;
mod sessions;
mod table;
mod words;

use std::path::PathBuf;

use anyhow::Result;

use self::arguments::{Arguments, Choice};
use self::sessions::Session;

fn main() -> Result<()> {
    let given = arguments::command().get_matches();
    let arguments = Arguments::of(&given);
    let folders = given.get_many::<PathBuf>("folders").into_iter().flatten();
    let folders: Vec<_> = folders.cloned().collect();
    let sessions: Vec<Session> = sessions::read_folders(&folders)?;
    if let Some(id) = given.get_one::<String>("trail") {
        return table::print_trail(&sessions, id, &arguments);
    }
    if given.get_flag("verdicts") {
        return table::print_verdicts(&sessions, &arguments);
    }
    if given.get_flag("words") {
        return words::run(&sessions, &arguments);
    }
    if given.get_flag("evidence") {
        return evidence::run(&sessions, &arguments);
    }
    if let Some(choice) = given.get_one::<Choice>("choose") {
        return held_out::run(&sessions, choice, &arguments);
    }
    table::print(&sessions, &arguments)
}
