//! The work of a tool call on files, by its name and arguments, in the words of the agents that there are.

use turnkeeper_base::json::Json;
use turnkeeper_base::sorted_map::SortedMap;
use turnkeeper_messages::arguments::{DIRECTORY, PATCH};
use turnkeeper_messages::{KnownTool, command_of, plain_name, trimmed};

use super::extents::{asks_for_ranges, extent_of_arguments, path_of, paths_of};
use super::pieces::{ends_line, units};
use super::shell::{path_from, shell_read};
use crate::files::Extent;

/// The deed of a call, if it succeeds.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum FileCall {
    /// It reads a file, or several.
    Read {
        /// All that it reads; at least one.
        paths: Vec<String>,
        extent: Extent,
        is_shell: bool,
    },
    /// It writes a whole file, which is the argument under the name `field`.
    Write {
        path: String,
        content: String,
        field: &'static str,
    },
    /// It edits a file, or may; `text` is what the arguments say.
    Edit { path: String, text: String },
    /// It may change, move or copy the files that the text names.
    Run { command: String },
    /// It changes several files, of which each patch says how.
    Patch { patches: Vec<FilePatch> },
    /// It asks the user, whose words are the result.
    Ask,
    /// Anything else.
    Other,
}

/// The deed of a patch to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FilePatch {
    pub(super) path: String,
    pub(super) text: String,
    pub(super) moves: bool,
}

/// The host's own tools that read files, and the place of a path among the arguments of each.
pub(super) type ReadTools = SortedMap<String, String>;

/// The deed of a call to files.
pub(super) fn file_call(tool: &str, args: &Json, read_tools: &ReadTools) -> FileCall {
    let kind = KnownTool::of(tool);
    let path = path_of(args);
    let place = read_tools.get(tool);
    if let Some(read) = place.and_then(|place| read_at(tool, args, place)) {
        return read;
    }
    match kind {
        _ if place.is_some() => read_of(tool, path, args),
        Some(KnownTool::Read) => read_of(tool, path, args),
        Some(KnownTool::Write) => path.map_or(FileCall::Other, |path| write_of(path, args)),
        Some(KnownTool::TextEditor) => {
            path.map_or(FileCall::Other, |path| editor_call(tool, path, args))
        }
        Some(KnownTool::Edit) => edit_of(path, args),
        Some(KnownTool::Command) => shell_call(args),
        Some(KnownTool::Ask) => FileCall::Ask,
        Some(KnownTool::Patch) => FileCall::Patch {
            patches: patches_of(args),
        },
        _ => unknown_call(tool, path, args),
    }
}

fn read_of(tool: &str, path: Option<&str>, args: &Json) -> FileCall {
    let extent = match path {
        Some(_) => extent_of_arguments(tool, args, None),
        None if asks_for_ranges(args) => Extent::Unknown,
        None => Extent::Complete,
    };
    let paths = path.map_or_else(|| paths_of(args), |path| vec![path.to_owned()]);
    match paths.is_empty() {
        true => FileCall::Other,
        false => FileCall::Read {
            paths,
            extent,
            is_shell: false,
        },
    }
}

/// A read of the files whose paths stand at a place such as `operations[].path`; `None` if there is none.
fn read_at(tool: &str, args: &Json, place: &str) -> Option<FileCall> {
    let (steps, last) = match place.rsplit_once('.') {
        Some((steps, last)) => (steps.split('.').collect(), last),
        None => (Vec::new(), place),
    };
    let mut holders = vec![args];
    for step in steps {
        let values = holders
            .into_iter()
            .flat_map(|holder| values_at(holder, step));
        holders = values.collect();
    }
    let name = last.strip_suffix("[]").unwrap_or(last);
    let mut paths = Vec::new();
    let mut extents = Vec::new();
    for holder in holders {
        for path in values_at(holder, last).iter().filter_map(Json::as_text) {
            paths.push(path.to_owned());
            extents.push(extent_of_arguments(tool, holder, Some(name)));
        }
    }
    let extent = match &extents[..] {
        [] => return None,
        [extent] => *extent,
        all if all.iter().all(|it| *it == Extent::Complete) => Extent::Complete,
        _ => Extent::Unknown,
    };
    Some(FileCall::Read {
        paths,
        extent,
        is_shell: false,
    })
}

/// The value of a field, or the elements of the list that it is.
fn values_at<'a>(holder: &'a Json<'a>, step: &str) -> &'a [Json<'a>] {
    match step.strip_suffix("[]") {
        Some(name) => holder.get(name).map_or(&[], Json::items),
        None => holder.get(step).map_or(&[], std::slice::from_ref),
    }
}

fn edit_of(path: Option<&str>, args: &Json) -> FileCall {
    path.map_or(FileCall::Other, |path| FileCall::Edit {
        path: path.to_owned(),
        text: texts_in(args),
    })
}

/// All texts of the arguments of a call, a line each or several.
fn texts_in(value: &Json) -> String {
    fn add(value: &Json, text: &mut String) {
        let mut is_first = true;
        let mut each = |value: &Json| {
            if !std::mem::take(&mut is_first) {
                text.push('\n');
            }
            add(value, text);
        };
        match value {
            Json::Text(said) => text.push_str(said),
            Json::List(items) => items.iter().for_each(&mut each),
            Json::Object(fields) => fields.iter().for_each(|(_, value)| each(value)),
            _ => {}
        }
    }
    let mut text = String::new();
    add(value, &mut text);
    text
}

fn write_of(path: &str, args: &Json) -> FileCall {
    let mut fields = ["content", "contents", "file_text", "text"].into_iter();
    let written = fields.find_map(|field| Some((field, args.get(field)?.as_text()?)));
    match written {
        Some((field, content)) => FileCall::Write {
            path: path.to_owned(),
            content: content.to_owned(),
            field,
        },
        None => edit_of(Some(path), args),
    }
}

/// Anthropic's text editor, whose argument `command` says what it does.
fn editor_call(tool: &str, path: &str, args: &Json) -> FileCall {
    match args.get("command").and_then(Json::as_text) {
        Some("view") => FileCall::Read {
            paths: vec![path.to_owned()],
            extent: extent_of_arguments(tool, args, None),
            is_shell: false,
        },
        Some("create") => write_of(path, args),
        _ => edit_of(Some(path), args),
    }
}

fn shell_call(args: &Json) -> FileCall {
    let Some(command) = command_of(args) else {
        return FileCall::Other;
    };
    let Some((path, extent)) = shell_read(&command) else {
        return FileCall::Run {
            command: command.into_owned(),
        };
    };
    let mut directories = DIRECTORY.iter().filter_map(|name| args.get(name));
    let directory = directories.find(|it| !matches!(it, Json::Null));
    FileCall::Read {
        paths: vec![path_from(directory, path)],
        extent,
        is_shell: true,
    }
}

/// Longer texts, in UTF-16 code units, name no file.
const LONGEST_NAME: usize = 4_096;

/// A call of a tool that nobody knows: whatever names a file may have changed it, and a tool that renames is a
/// command that does.
fn unknown_call(tool: &str, path: Option<&str>, args: &Json) -> FileCall {
    let name = plain_name(tool);
    let moves = ["move", "rename", "copy"]
        .iter()
        .any(|it| name.contains(it));
    if !moves {
        return edit_of(path, args);
    }
    let mut command = "mv".to_owned();
    if let Json::Object(fields) = args {
        let words = fields.iter().filter_map(|(_, value)| value.as_text());
        for word in words.filter(|word| units(word) < LONGEST_NAME) {
            command.push(' ');
            command.push_str(word);
        }
    }
    FileCall::Run { command }
}

/// The files that a patch of Codex' form changes; what it moves a file to is one of them.
fn patches_of(input: &Json) -> Vec<FilePatch> {
    let given = PATCH.iter();
    let given = given
        .filter_map(|name| input.get(name))
        .find_map(Json::as_text);
    let patch = input.as_text().or(given).unwrap_or_default();
    let mut patches: Vec<FilePatch> = Vec::new();
    let mut last_end = 0;
    let mut at = 0;
    for line in patch.split_inclusive(ends_line) {
        let start = at;
        at += line.len();
        let line = line.trim_end_matches(ends_line);
        let Some((verb, path)) = patch_heading(line) else {
            continue;
        };
        if let Some(before) = patches.last_mut() {
            patch[last_end..start].clone_into(&mut before.text);
        }
        last_end = start + line.len();
        patches.push(FilePatch {
            path: trimmed(path).to_owned(),
            text: String::new(),
            moves: verb == "Move to",
        });
    }
    if let Some(last) = patches.last_mut() {
        patch[last_end..].clone_into(&mut last.text);
    }
    patches
}

/// `*** Update File: src/a.ts`
fn patch_heading(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix("*** ")?;
    let (verb, path) = rest.split_once(": ").filter(|(_, path)| !path.is_empty())?;
    let verbs = ["Update File", "Add File", "Delete File", "Move to"];
    verbs.contains(&verb).then_some((verb, path))
}

#[cfg(test)]
mod tests {
    use turnkeeper_base::json::parse;

    use super::*;

    fn call(tool: &str, args: &str, read_tools: &[(&str, &str)]) -> FileCall {
        let mut room = Vec::new();
        let args = parse(args.as_bytes(), &mut room).expect("JSON");
        let tools = read_tools.iter();
        let tools = tools.map(|(tool, place)| ((*tool).to_owned(), (*place).to_owned()));
        file_call(tool, &args, &tools.collect())
    }

    fn read(paths: &[&str], extent: Extent) -> FileCall {
        FileCall::Read {
            paths: paths.iter().map(|path| (*path).to_owned()).collect(),
            extent,
            is_shell: false,
        }
    }

    #[test]
    fn reads_are_known_by_their_tools_and_their_arguments() {
        let lines = |first, last| Extent::Lines { first, last };
        for (tool, args, expected) in [
            (
                "read_file",
                r#"{"path":"a"}"#,
                read(&["a"], Extent::Complete),
            ),
            (
                "Read",
                r#"{"file_path":"a","offset":5,"limit":10}"#,
                read(&["a"], lines(5, 14)),
            ),
            (
                "read_file",
                r#"{"target_file":"a","start_line_one_indexed":"2","end_line_one_indexed_inclusive":-1,"should_read_entire_file":false}"#,
                read(&["a"], lines(2, u32::MAX - 1)),
            ),
            (
                "view",
                r#"{"path":"a","view_range":[1,50]}"#,
                read(&["a"], lines(1, 50)),
            ),
            (
                "read_file",
                r#"{"path":"a","lines":"3 - 4"}"#,
                read(&["a"], lines(3, 4)),
            ),
            (
                "view",
                r#"{"relative_path":"a","line_start":3,"line_end":4}"#,
                read(&["a"], lines(3, 4)),
            ),
            (
                "read_text_file",
                r#"{"path":"a","head":9}"#,
                read(&["a"], lines(1, 9)),
            ),
            (
                "read_file",
                r#"{"path":"a","pattern":"x"}"#,
                read(&["a"], Extent::Unknown),
            ),
            (
                "read_file",
                r#"{"path":"a","mode":"indentation"}"#,
                read(&["a"], Extent::Unknown),
            ),
            (
                "read_file",
                r#"{"files":[{"path":"a"},{"path":"b","line_ranges":["1-2"]}]}"#,
                read(&["a", "b"], Extent::Unknown),
            ),
            ("read_file", r#"{"path":7,"file":"a"}"#, FileCall::Other),
            ("read_file", "7", FileCall::Other),
        ] {
            assert_eq!(call(tool, args, &[]), expected, "{tool} {args}");
        }
    }

    #[test]
    fn tools_of_a_host_read_where_it_says() {
        let tools = [("fs_read", "operations[].path"), ("look", "at.files[]")];
        for (tool, args, expected) in [
            (
                "fs_read",
                r#"{"operations":[{"mode":"Line","path":"a"},{"path":"b"}]}"#,
                read(&["a", "b"], Extent::Complete),
            ),
            (
                "fs_read",
                r#"{"operations":[{"path":"a","start_line":2,"end_line":3}]}"#,
                read(&["a"], Extent::Lines { first: 2, last: 3 }),
            ),
            (
                "look",
                r#"{"at":{"files":["a",1,"b"],"depth":2}}"#,
                read(&["a", "b"], Extent::Unknown),
            ),
            ("look", r#"{"path":"a"}"#, read(&["a"], Extent::Complete)),
            ("look", "{}", FileCall::Other),
        ] {
            assert_eq!(call(tool, args, &tools), expected, "{tool} {args}");
        }
    }

    #[test]
    fn a_patch_changes_several_files() {
        let patch = "*** Begin Patch\\n*** Update File: a \\n*** Move to: b\\n@@\\n-x\\n+y\\n*** Add File: c\\n+z";
        let FileCall::Patch { patches } =
            call("apply_patch", &format!(r#"{{"input":"{patch}"}}"#), &[])
        else {
            panic!("a patch");
        };
        let patch = |path: &str, text: &str, moves| FilePatch {
            path: path.to_owned(),
            text: text.to_owned(),
            moves,
        };
        assert_eq!(
            patches,
            [
                patch("a", "\n", false),
                patch("b", "\n@@\n-x\n+y\n", true),
                patch("c", "\n+z", false)
            ]
        );
    }

    #[test]
    fn what_nobody_knows_may_have_changed_or_moved_a_file() {
        let edit = FileCall::Edit {
            path: "a".to_owned(),
            text: "a\nx\n\ny".to_owned(),
        };
        assert_eq!(call("mend", r#"{"path":"a","all":["x",1,"y"]}"#, &[]), edit);
        assert_eq!(call("mend", "{}", &[]), FileCall::Other);
        let moves = FileCall::Run {
            command: "mv a b".to_owned(),
        };
        assert_eq!(
            call("move_file", r#"{"from":"a","to":"b","n":1}"#, &[]),
            moves
        );
    }

    #[test]
    fn an_editor_does_what_its_command_says() {
        let write = FileCall::Write {
            path: "a".to_owned(),
            content: "x".to_owned(),
            field: "file_text",
        };
        let create = r#"{"command":"create","path":"a","file_text":"x"}"#;
        assert_eq!(call("str_replace_editor", create, &[]), write);
        let view = r#"{"command":"view","path":"a"}"#;
        assert_eq!(
            call("str_replace_editor", view, &[]),
            read(&["a"], Extent::Complete)
        );
    }
}
