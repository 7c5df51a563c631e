//! Words in names of tools in the agents that are known. Each list is words with a space between.

use serde_json::Value;

/// Words in names of tools.
pub(super) const WRITING: &str = "write edit multiedit create patch replace insert update apply";
pub(super) const MOVING: &str = "delete remove move rename";
pub(super) const READING: &str = "read view open cat";
pub(super) const RUNNING: &str = "bash shell command commands exec terminal run";
/// Words in names of tools that work on no file.
pub(super) const FOLDERS: &str = "directory folder dir folders";

/// The `command` of a tool that edits files in several ways.
pub(super) const VIEWS: &str = "view read";
pub(super) const EDITS: &str = "create write str_replace insert edit undo_edit";

/// Whether the word is one of the names.
pub(super) fn is_one(names: &str, word: &str) -> bool {
    names.split(' ').any(|name| name == word)
}

/// The arguments by these names; null where there is none.
pub(super) fn each<'a>(args: &'a Value, names: &'a [&str]) -> impl Iterator<Item = &'a Value> {
    names.iter().map(|name| &args[*name])
}
