//! A tool call and its effect, as far as the ledger tells.

use serde::{Deserialize, Serialize};

use super::kept::{KeptText, shortened};
use turnkeeper_base::json::{self, Json};
use turnkeeper_messages::{KnownTool, LinesAsked, ToolKind, arguments, command_of, words_of};

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
        files: Vec<(KeptText, LinesAsked)>,
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

/// Words in names of tools that work on no file.
const FOLDERS: [&str; 4] = ["directory", "folder", "dir", "folders"];
/// Headings of a patch that name a file.
const PATCH_WRITES: [&str; 3] = ["*** Update File: ", "*** Add File: ", "*** Move to: "];
const PATCH_DELETES: [&str; 1] = ["*** Delete File: "];
/// A call names no more files than this.
const MOST_PATHS: usize = 32;

impl Call {
    pub(super) fn new(name: &str, args: &Json) -> Self {
        let mut room = Vec::new();
        let parsed = args.as_text();
        let parsed = parsed.and_then(|text| json::parse(text.as_bytes(), &mut room).ok());
        let args = parsed.as_ref().unwrap_or(args);
        let arguments = match args {
            Json::Text(text) => text.as_ref().to_owned(),
            _ => json::written(args),
        };
        Self {
            tool: KeptText::new(name, LONGEST_LINE),
            arguments: KeptText::new(&arguments, LONGEST_LINE),
            action: action_of(name, args),
        }
    }
}

/// The arguments by these names.
fn each<'a>(args: &'a Json<'a>, names: &'a [&str]) -> impl Iterator<Item = &'a Json<'a>> {
    names.iter().filter_map(|name| args.get(name))
}

fn action_of(name: &str, args: &Json) -> Action {
    let (kinds, known) = (ToolKind::of_words(name), KnownTool::of(name));
    let is = |kind: ToolKind| kinds.contains(&kind);
    let is_of_folders = words_of(name).iter().any(|word| FOLDERS.contains(&&**word));
    let files = match is_of_folders {
        true => Vec::new(),
        false => named_files(name, args),
    };
    match args
        .get("command")
        .and_then(Json::as_text)
        .and_then(ToolKind::of_editor_verb)
    {
        Some(ToolKind::Read) if !files.is_empty() => return Action::Read { files },
        Some(_) if !files.is_empty() => return written(files),
        _ => {}
    }
    if is(ToolKind::Remove) {
        let moved = each(args, &arguments::MOVED_PATH).filter_map(Json::as_text);
        let moved = moved.map(|path| KeptText::new(path, LONGEST_LINE));
        let gone: Vec<KeptText> = moved.chain(paths_of(files)).collect();
        let written = Vec::new();
        return Action::Change { written, gone };
    }
    let is_change = matches!(
        known,
        Some(KnownTool::Edit | KnownTool::Write | KnownTool::Patch)
    );
    if is_change || is(ToolKind::Edit) || is(ToolKind::Write) {
        let patches = each(args, &arguments::PATCH).chain([args]);
        if let Some(change) = patches.filter_map(Json::as_text).find_map(patched) {
            return change;
        }
        if !files.is_empty() {
            return written(files);
        }
    }
    if (known == Some(KnownTool::Command) || is(ToolKind::Command))
        && let Some(line) = command_of(args)
        && let line = line.trim()
        && !line.is_empty()
    {
        return patched(line).unwrap_or_else(|| command(line, args));
    }
    match (known == Some(KnownTool::Read) || is(ToolKind::Read)) && !files.is_empty() {
        true => Action::Read { files },
        false => Action::Other,
    }
}

/// The command, with the directory in which it runs if the call names one.
fn command(line: &str, args: &Json) -> Action {
    let directory = each(args, &arguments::DIRECTORY).find_map(Json::as_text);
    let line = match directory.map(str::trim) {
        None | Some("") => KeptText::new(line, LONGEST_LINE),
        Some(directory) => {
            let directory = shortened(directory, LONGEST_LINE / 3);
            let line = shortened(line, LONGEST_LINE * 2 / 3);
            KeptText::new(&format!("{line}, in {directory}"), LONGEST_LINE)
        }
    };
    Action::Command { line }
}

fn written(files: Vec<(KeptText, LinesAsked)>) -> Action {
    Action::Change {
        written: paths_of(files).collect(),
        gone: Vec::new(),
    }
}

fn paths_of(files: Vec<(KeptText, LinesAsked)>) -> impl Iterator<Item = KeptText> {
    files.into_iter().map(|(path, _)| path)
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
fn named_files(name: &str, args: &Json) -> Vec<(KeptText, LinesAsked)> {
    let one = |args: &Json| {
        let path = match args {
            Json::Text(path) => Some(path.as_ref()),
            _ => each(args, &arguments::PATH).find_map(Json::as_text),
        };
        let path = path.filter(|path| !path.trim().is_empty())?;
        Some((file_path(path), LinesAsked::of(name, args)))
    };
    let listed = each(args, &arguments::FILES).flat_map(Json::items);
    let listed = listed.filter_map(one);
    let own = matches!(args, Json::Object(_)).then(|| one(args)).flatten();
    own.into_iter().chain(listed).take(MOST_PATHS).collect()
}

/// A path without `./` in front.
fn file_path(path: &str) -> KeptText {
    let path = path.trim_start_matches("./");
    KeptText::new(path, LONGEST_LINE)
}
