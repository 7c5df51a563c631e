//! The names that arguments of tools have, by what they say, in the agents that there are.

/// Name the file that is read, written or edited.
pub const PATH: [&str; 10] = [
    "path", "file_path", "filePath", "absolute_path", "absolutePath", "target_file", "filename",
    "file", "notebook_path", "relative_path",
];

/// Name the directory in which a command runs.
pub const DIRECTORY: [&str; 7] = [
    "workdir", "cwd", "working_directory", "workingDirectory", "directory", "dir_path", "dir",
];

/// Say from which line on a file is read, counted from 1.
pub const FIRST_LINE: [&str; 7] = [
    "start_line",
    "startLine",
    "line_start",
    "start",
    "from",
    "start_line_one_indexed",
    "line",
];

/// Say the same, counted from 0 in some agents.
pub const OFFSET: [&str; 2] = ["offset", "line_offset"];

/// Say which line is the last that is read.
pub const LAST_LINE: [&str; 6] = [
    "end_line",
    "endLine",
    "line_end",
    "end",
    "to",
    "end_line_one_indexed_inclusive",
];

/// Say how many lines are read.
pub const LINE_COUNT: [&str; 6] = [
    "limit", "max_lines", "num_lines", "n_lines", "count", "head",
];

/// Say the first line and the last in one, `[1, 50]` or `"1-50"`, or several such ranges.
pub const LINE_RANGE: [&str; 8] = [
    "view_range", "line_range", "lineRange", "line_ranges", "lineRanges", "range", "read_range",
    "lines",
];

/// Choose a part of a file that no line numbers tell.
pub const OTHER_PART: [&str; 3] = ["tail", "pages", "cells"];

/// Hold several files, each with a path.
pub const FILES: [&str; 5] = ["files", "paths", "file_paths", "operations", "edits"];

/// Name what is moved or renamed.
pub const MOVED_PATH: [&str; 5] = ["source", "old_path", "oldPath", "from", "source_path"];

/// Hold a command line, as a text or as words.
pub const COMMAND: [&str; 5] = ["command", "cmd", "script", "input", "commands"];

/// Hold a patch that names its files.
pub const PATCH: [&str; 3] = ["patch", "input", "command"];
