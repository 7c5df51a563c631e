//! What a tool call does, as far as the ledger tells.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::LONGEST_LINE;
use turnkeeper_base::json;

/// Lines of a file, counted from 1; without an end, all from the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct LineRange {
    pub(super) first: u64,
    pub(super) last: Option<u64>,
}

impl LineRange {
    pub(super) const ALL: Self = Self {
        first: 1,
        last: None,
    };
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Action {
    Read { files: Vec<(String, LineRange)> },
    Write { paths: Vec<String> },
    Command { line: String },
    Other { tool: String, arguments: String },
}

/// Words in names of tools.
const WRITING: [&str; 9] = [
    "write",
    "edit",
    "multiedit",
    "create",
    "patch",
    "replace",
    "insert",
    "update",
    "apply",
];
const READING: [&str; 4] = ["read", "view", "open", "cat"];
const RUNNING: [&str; 7] = [
    "bash", "shell", "command", "commands", "exec", "terminal", "run",
];

const PATHS: [&str; 8] = [
    "file_path",
    "filePath",
    "absolute_path",
    "path",
    "target_file",
    "filename",
    "notebook_path",
    "relative_path",
];
const PATH_LISTS: [&str; 3] = ["files", "paths", "file_paths"];
const COMMANDS: [&str; 4] = ["command", "cmd", "commands", "script"];
const PATCHES: [&str; 3] = ["input", "patch", "command"];
/// Headings of a patch that name a file.
const PATCH_HEADINGS: [&str; 3] = ["*** Update File: ", "*** Add File: ", "*** Delete File: "];
/// A call names no more files than this.
const MOST_PATHS: usize = 32;

pub(super) fn action_of(name: &str, args: &Value) -> Action {
    let parsed: Value;
    let args = match args {
        Value::String(text) => {
            parsed = serde_json::from_str(text).unwrap_or_else(|_| args.clone());
            &parsed
        }
        _ => args,
    };
    let words = words_of(name);
    let is_one = |kind: &[&str]| kind.iter().any(|word| words.iter().any(|own| own == word));
    if is_one(&WRITING) {
        let paths = written_paths(args);
        if !paths.is_empty() {
            return Action::Write { paths };
        }
    }
    if is_one(&RUNNING)
        && let Some(line) = COMMANDS.iter().find_map(|key| command_line(&args[*key]))
    {
        let patched = patched_paths(&line);
        let line = shortened(&line, LONGEST_LINE);
        return match patched.is_empty() {
            true => Action::Command { line },
            false => Action::Write { paths: patched },
        };
    }
    if is_one(&READING) {
        let files = read_files(args);
        if !files.is_empty() {
            return Action::Read { files };
        }
    }
    Action::Other {
        tool: shortened(name, LONGEST_LINE),
        arguments: shortened(&json::written(args), LONGEST_LINE),
    }
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

fn written_paths(args: &Value) -> Vec<String> {
    let patch = PATCHES.iter().filter_map(|key| args[*key].as_str());
    let patched: Vec<String> = patch.chain(args.as_str()).flat_map(patched_paths).collect();
    match patched.is_empty() {
        true => read_files(args).into_iter().map(|(path, _)| path).collect(),
        false => patched,
    }
}

fn patched_paths(patch: &str) -> Vec<String> {
    let heading = |line: &str| {
        let named = PATCH_HEADINGS.iter().find_map(|it| line.strip_prefix(it));
        named.map(|path| shortened(path.trim(), LONGEST_LINE))
    };
    patch.lines().filter_map(heading).take(MOST_PATHS).collect()
}

fn read_files(args: &Value) -> Vec<(String, LineRange)> {
    let one = |args: &Value| {
        let path = match args {
            Value::String(path) => Some(path.as_str()),
            _ => PATHS.iter().find_map(|key| args[*key].as_str()),
        };
        let path = path.filter(|path| !path.trim().is_empty())?;
        Some((shortened(path, LONGEST_LINE), range_of(args)))
    };
    let lists = PATH_LISTS.iter().filter_map(|key| args[*key].as_array());
    let listed = lists.flatten().filter_map(one);
    let own = args.is_object().then(|| one(args)).flatten();
    own.into_iter().chain(listed).take(MOST_PATHS).collect()
}

/// The lines that a call asks for, in the words of the agents that are known.
fn range_of(args: &Value) -> LineRange {
    let number = |keys: &[&str]| keys.iter().find_map(|key| args[*key].as_u64());
    let start = number(&["start_line", "startLine", "line_start", "offset"]);
    let end = number(&["end_line", "endLine", "line_end"]);
    let limit = number(&["limit", "max_lines"]);
    if start.is_none() && end.is_none() && limit.is_none() {
        return LineRange::ALL;
    }
    let first = start.unwrap_or(1).max(1);
    let by_limit = limit.map(|limit| first.saturating_add(limit).saturating_sub(1));
    LineRange {
        first,
        last: end.or(by_limit),
    }
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

/// At most `most` characters of a text; a longer one ends with an ellipsis.
pub(super) fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
