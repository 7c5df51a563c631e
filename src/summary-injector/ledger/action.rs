//! What a tool call does, as far as the ledger tells.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::kept::{KeptText, shortened};
use super::lines::{ReadPart, part_of};
use crate::content::with_whole_characters;
use turnkeeper_base::json;

/// Characters of a path, a command line and the line that a command ended with.
pub(super) const LONGEST_LINE: usize = 240;

/// A tool call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Call {
    pub(super) tool: KeptText,
    /// Its arguments as JSON, or the text that they are.
    pub(super) arguments: KeptText,
    pub(super) action: Action,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Action {
    Read {
        files: Vec<(KeptText, ReadPart)>,
    },
    /// Files are written or edited, and others are moved or deleted.
    Change {
        written: Vec<KeptText>,
        gone: Vec<KeptText>,
    },
    Command {
        line: KeptText,
    },
    Other,
}

/// Words in names of tools.
const WRITING: [&str; 9] = [
    "write", "edit", "multiedit", "create", "patch", "replace", "insert", "update", "apply",
];
const MOVING: [&str; 4] = ["delete", "remove", "move", "rename"];
const READING: [&str; 4] = ["read", "view", "open", "cat"];
const RUNNING: [&str; 7] = [
    "bash", "shell", "command", "commands", "exec", "terminal", "run",
];
/// What such a tool works on is no file.
const FOLDERS: [&str; 4] = ["directory", "folder", "dir", "folders"];
/// The `command` of a tool that edits files in several ways.
const VIEWING: [&str; 2] = ["view", "read"];
const EDITING: [&str; 6] = [
    "create", "write", "str_replace", "insert", "edit", "undo_edit",
];

const PATHS: [&str; 9] = [
    "file_path", "filePath", "absolute_path", "path", "target_file", "filename", "notebook_path",
    "relative_path", "file",
];
const MOVED_PATHS: [&str; 5] = ["source", "old_path", "oldPath", "from", "source_path"];
const PATH_LISTS: [&str; 5] = ["files", "paths", "file_paths", "operations", "edits"];
const COMMANDS: [&str; 4] = ["command", "cmd", "commands", "script"];
const DIRECTORIES: [&str; 7] = [
    "workdir", "cwd", "working_directory", "workingDirectory", "directory", "dir_path", "dir",
];
const PATCHES: [&str; 3] = ["input", "patch", "command"];
/// Headings of a patch that name a file.
const PATCH_WRITES: [&str; 3] = ["*** Update File: ", "*** Add File: ", "*** Move to: "];
const PATCH_DELETES: [&str; 1] = ["*** Delete File: "];
/// A call names no more files than this.
const MOST_PATHS: usize = 32;

impl Call {
    pub(super) fn new(name: &str, args: &Value) -> Self {
        let parsed: Value;
        let args = match args {
            Value::String(text) => {
                let read = serde_json::from_str(&with_whole_characters(text));
                parsed = read.unwrap_or_else(|_| args.clone());
                &parsed
            }
            _ => args,
        };
        let arguments = match args {
            Value::String(text) => KeptText::new(text, LONGEST_LINE),
            _ => KeptText::new(&json::written(args), LONGEST_LINE),
        };
        Self {
            tool: KeptText::new(name, LONGEST_LINE),
            arguments,
            action: action_of(name, args),
        }
    }
}

fn action_of(name: &str, args: &Value) -> Action {
    let words = words_of(name);
    let is_one = |kind: &[&str]| kind.iter().any(|word| words.iter().any(|own| own == word));
    let files = || match is_one(&FOLDERS) {
        true => Vec::new(),
        false => named_files(name, args),
    };
    let way = args["command"].as_str().unwrap_or_default();
    let has_way = |ways: &[&str]| ways.contains(&way);
    if has_way(&VIEWING) || has_way(&EDITING) {
        let files = files();
        if !files.is_empty() {
            return match has_way(&VIEWING) {
                true => Action::Read { files },
                false => written(files),
            };
        }
    }
    if is_one(&MOVING) {
        let moved = MOVED_PATHS.iter().filter_map(|key| args[*key].as_str());
        let moved = moved.map(|path| KeptText::new(path, LONGEST_LINE));
        let gone: Vec<KeptText> = moved.chain(paths_of(files())).collect();
        let written = Vec::new();
        return Action::Change { written, gone };
    }
    if is_one(&WRITING) {
        let patches = PATCHES.iter().filter_map(|key| args[*key].as_str());
        let patched = patches.chain(args.as_str()).find_map(patched);
        if let Some(change) = patched {
            return change;
        }
        let files = files();
        if !files.is_empty() {
            return written(files);
        }
    }
    if is_one(&RUNNING)
        && let Some(line) = COMMANDS.iter().find_map(|key| command_line(&args[*key]))
    {
        return patched(&line).unwrap_or_else(|| {
            let directory = DIRECTORIES.iter().find_map(|key| args[*key].as_str());
            let line = match directory.map(str::trim).filter(|it| !it.is_empty()) {
                Some(directory) => {
                    let line = shortened(&line, LONGEST_LINE * 2 / 3);
                    let directory = shortened(directory, LONGEST_LINE / 3);
                    format!("{line}, in {directory}")
                }
                None => line,
            };
            let line = KeptText::new(&line, LONGEST_LINE);
            Action::Command { line }
        });
    }
    let files = match is_one(&READING) {
        true => files(),
        false => Vec::new(),
    };
    match files.is_empty() {
        true => Action::Other,
        false => Action::Read { files },
    }
}

fn written(files: Vec<(KeptText, ReadPart)>) -> Action {
    Action::Change {
        written: paths_of(files).collect(),
        gone: Vec::new(),
    }
}

fn paths_of(files: Vec<(KeptText, ReadPart)>) -> impl Iterator<Item = KeptText> {
    files.into_iter().map(|(path, _)| path)
}

/// The words of a name such as `str_replace`, `readFile` or `mcp__files__read`, ASCII in lower case.
fn words_of(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut word = String::new();
    let mut was_lower = false;
    for character in name.chars().take(LONGEST_LINE) {
        if !character.is_alphanumeric() || (was_lower && character.is_uppercase()) {
            words.push(std::mem::take(&mut word));
        }
        if character.is_alphanumeric() {
            word.push(character.to_ascii_lowercase());
        }
        was_lower = character.is_lowercase();
    }
    words.push(word);
    words
}

/// The change that a patch makes.
fn patched(patch: &str) -> Option<Action> {
    let named = |headings: &[&str]| -> Vec<KeptText> {
        let heading = |line: &str| {
            let named = headings.iter().find_map(|it| line.strip_prefix(it));
            named.map(|path| file_path(path.trim()))
        };
        patch.lines().filter_map(heading).take(MOST_PATHS).collect()
    };
    let (written, gone) = (named(&PATCH_WRITES), named(&PATCH_DELETES));
    (!written.is_empty() || !gone.is_empty()).then_some(Action::Change { written, gone })
}

/// The files that a call names, each with the part of it that the call asks for.
fn named_files(name: &str, args: &Value) -> Vec<(KeptText, ReadPart)> {
    let one = |args: &Value| {
        let path = match args {
            Value::String(path) => Some(path.as_str()),
            _ => PATHS.iter().find_map(|key| args[*key].as_str()),
        };
        let path = path.filter(|path| !path.trim().is_empty())?;
        Some((file_path(path), part_of(name, args)))
    };
    let lists = PATH_LISTS.iter().filter_map(|key| args[*key].as_array());
    let listed = lists.flatten().filter_map(one);
    let own = args.is_object().then(|| one(args)).flatten();
    own.into_iter().chain(listed).take(MOST_PATHS).collect()
}

/// A path without `./` in front.
fn file_path(path: &str) -> KeptText {
    let path = path.trim_start_matches("./");
    KeptText::new(path, LONGEST_LINE)
}

/// A command line: a string, the last word of `bash -lc "…"`, or the words of a list.
fn command_line(command: &Value) -> Option<String> {
    match command {
        Value::String(line) if !line.trim().is_empty() => Some(line.trim().to_owned()),
        Value::Array(words) => {
            let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
            let line = match words.as_slice() {
                [_, flag, line] if flag.starts_with('-') && flag.ends_with('c') => {
                    (*line).to_owned()
                }
                _ => words.join(" "),
            };
            (!line.trim().is_empty()).then(|| line.trim().to_owned())
        }
        _ => None,
    }
}
