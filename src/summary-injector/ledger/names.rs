//! Names of tools and of their arguments in the agents that are known. Each list is words with a space between.

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

pub(super) const PATH: &str = "file_path filePath absolute_path path target_file filename \
    notebook_path relative_path file";
pub(super) const MOVED_PATH: &str = "source old_path oldPath from source_path";
pub(super) const PATHS: &str = "files paths file_paths operations edits";
pub(super) const COMMAND: &str = "command cmd commands script";
pub(super) const DIRECTORY: &str =
    "workdir cwd working_directory workingDirectory directory dir_path dir";
pub(super) const PATCH: &str = "input patch command";

pub(super) const FIRST_LINE: &str =
    "start_line startLine line_start start from start_line_one_indexed line";
pub(super) const LAST_LINE: &str =
    "end_line endLine line_end end to end_line_one_indexed_inclusive";
pub(super) const OFFSET: &str = "offset line_offset";
pub(super) const COUNT: &str = "limit max_lines num_lines n_lines count head";
pub(super) const RANGES: &str =
    "view_range line_range lineRange line_ranges lineRanges range read_range lines";
/// Arguments that choose a part that no line numbers tell.
pub(super) const OTHER_PART: &str = "tail pages cells";

/// Whether the word is one of the names.
pub(super) fn is_one(names: &str, word: &str) -> bool {
    names.split(' ').any(|name| name == word)
}

/// The arguments by these names; null where there is none.
pub(super) fn each<'a>(args: &'a Value, names: &'a str) -> impl Iterator<Item = &'a Value> {
    names.split(' ').map(|name| &args[name])
}
