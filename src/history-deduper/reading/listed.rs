//! Files under a line that names each of them, as Roo Code shows what its native tool read and what the
//! user mentions:
//!
//! ```text
//! File: src/a.ts
//! Lines 1-2:
//! 1 | import b from "./b";
//! 2 | b();
//! ```

use turnkeeper_base::text::first_units;
use turnkeeper_messages::is_white;

use super::in_text::{CopyInText, ListedFile, listed_files};
use super::pieces::{next_at, units};
use turnkeeper_messages::pieces::digits;

/// The files of a result that names each; none if it names no file, and `None` if it is not known where they
/// are.
pub(super) fn listed_in(body: &str, asked: &[String]) -> Option<Vec<ListedFile>> {
    let mut from = 0;
    if is_approved(body) {
        let named = format!("\nFile: {}\n", asked.first()?);
        let opening = ["\n<file>", "\n<files>"]
            .iter()
            .filter_map(|it| body.find(it))
            .min();
        from = opening.or_else(|| body.find(&named))? + 1;
    }
    let rest = &body[from..];
    if first_units(rest, 40)
        .trim_start_matches(is_white)
        .starts_with("<file")
    {
        let mut listed = listed_files(body);
        listed.retain(|file| asked.contains(&file.copy.path));
        // A frame without a file has what became of it: an error, a refusal, a note on a binary file.
        return (!listed.is_empty() || !is_frame(rest)).then_some(listed);
    }
    if !rest.starts_with("File: ") {
        return Some(Vec::new());
    }
    let files = files_read(body, asked, from);
    // A file may begin with such a line itself, but not with the path that was asked for.
    let is_header = asked.iter().any(|path| rest.starts_with(&header_of(path)));
    (!files.is_empty() || !is_header).then_some(files)
}

/// Whether a result begins with the user's approval, in words; what was read follows.
fn is_approved(body: &str) -> bool {
    let in_json = || {
        let rest = body.strip_prefix('{')?.trim_start_matches(is_white);
        let rest = rest
            .strip_prefix("\"status\"")?
            .trim_start_matches(is_white);
        let rest = rest.strip_prefix(':')?.trim_start_matches(is_white);
        rest.strip_prefix("\"approved")
    };
    body.starts_with("The user approved this") || in_json().is_some()
}

fn is_frame(text: &str) -> bool {
    let text = text.trim_start_matches(is_white);
    let text = text.strip_prefix("<files>").unwrap_or(text);
    let file = text.trim_start_matches(is_white).strip_prefix("<file>");
    file.is_some_and(|it| it.trim_start_matches(is_white).starts_with("<path>"))
}

fn header_of(path: &str) -> String {
    format!("File: {path}\n")
}

/// The line between two files.
const RULE: &str = "\n\n---\n\n";

/// The files of a result, of those that were asked for, in their order; the first of them may begin at `from`.
fn files_read(text: &str, asked: &[String], from: usize) -> Vec<ListedFile> {
    let mut starts: Vec<(&str, usize, usize)> = Vec::new();
    let mut at = from;
    for path in asked {
        let header = header_of(path);
        let start = match at == from && text[from..].starts_with(&header) {
            true => Some(from),
            false => next_at(text, &format!("{RULE}{header}"), at).map(|it| it + RULE.len()),
        };
        let Some(start) = start else {
            continue;
        };
        at = start + header.len();
        starts.push((path, start, at));
    }
    let ends = starts.iter().skip(1).map(|(_, at, _)| at - RULE.len());
    let ends: Vec<usize> = ends.chain([text.len()]).collect();
    starts
        .iter()
        .zip(ends)
        .filter_map(|((path, _, start), end)| file_within(text, path, *start, end))
        .collect()
}

/// The beginnings of what stands in the place of a file that could not be shown.
const NOT_SHOWN: [&str; 5] = [
    "Error: ", "Status: ", "Note: ", "Binary file ", "Code Definitions:",
];
/// The beginnings of the line after a file that was cut.
const CUT: [&str; 4] = [
    "\nNote: Showing only",
    "\nNote: File truncated",
    "\nNote: Content truncated",
    "\nNote: No available",
];

fn file_within(text: &str, path: &str, from: usize, end: usize) -> Option<ListedFile> {
    let body = &text[from..end];
    if NOT_SHOWN.iter().any(|it| body.starts_with(it)) {
        return None;
    }
    let lines = lines_heading(body);
    let start = end - lines.map_or(body, |(_, rest)| rest).len();
    let is_several = lines.is_some()
        && body
            .match_indices("\n\nLines ")
            .any(|(at, _)| lines_heading(&body[at + 2..]).is_some());
    let said = body.trim_end_matches(is_white);
    let last_line = said.rfind('\n').map(|at| &said[at..]);
    let notes = match last_line.filter(|line| CUT.iter().any(|it| line.starts_with(it))) {
        Some(note) => note,
        None if is_several => "<notice>several ranges</notice>",
        None => "",
    };
    let path = path.to_owned();
    (start < end).then(|| ListedFile {
        copy: CopyInText {
            path,
            range: start..end,
        },
        lines: lines
            .filter(|_| !is_several)
            .map(|(lines, _)| lines.to_owned()),
        notes: notes.to_owned(),
    })
}

/// The lines of `Lines 1-2:`, and what comes after that line.
fn lines_heading(text: &str) -> Option<(&str, &str)> {
    let lines = text.strip_prefix("Lines ")?;
    let (_, rest) = digits(lines)?;
    let (_, rest) = digits(rest.strip_prefix('-')?)?;
    let lines = &lines[..lines.len() - rest.len()];
    Some((lines, rest.strip_prefix(":\n")?))
}

/// A path in the heading of a mention has no more units.
const LONGEST_PATH: usize = 4_000;
/// The host says before a file that it was cut, in no more units.
const LONGEST_NOTE: usize = 1_000;

/// The files of a mention: a text that begins as if it were a result, but for the word. `None` if it is none.
pub(super) fn files_mentioned(text: &str) -> Option<Vec<ListedFile>> {
    let folder = mention(text, "[read_file for folder '");
    if folder.is_none() {
        mention(text, "[read_file for '")?;
    }
    let folder = folder.map(|(folder, _)| folder);
    let mut headings: Vec<(&str, usize, usize)> = Vec::new();
    let mut at = 0;
    while let Some((start, path, rest)) = next_mention(text, at) {
        let from = text.len() - rest.len();
        at = from;
        // A path that a file quotes is no file of the folder.
        if start > 0 && !folder.is_some_and(|folder| is_listed(text, path, folder)) {
            continue;
        }
        headings.push((path, start, from));
        if start == 0 {
            break;
        }
    }
    let ends = headings.iter().skip(1).map(|(_, start, _)| *start);
    let ends: Vec<usize> = ends.chain([text.len()]).collect();
    let files = headings.iter().zip(ends);
    let files = files.filter_map(|((path, _, from), end)| file_under(text, path, *from, end));
    Some(files.collect())
}

fn file_under(text: &str, path: &str, from: usize, end: usize) -> Option<ListedFile> {
    let header = header_of(path);
    let at = match text[from..].starts_with(&header) {
        true => from,
        false => next_at(text, &format!("\n\n{header}"), from)? + 2,
    };
    if at >= end || units(&text[from..at]) > LONGEST_NOTE {
        return None;
    }
    let start = at + header.len();
    (start < end).then(|| ListedFile {
        copy: CopyInText {
            path: path.to_owned(),
            range: start..end,
        },
        lines: None,
        notes: text[from..at].to_owned(),
    })
}

/// The path of a heading that begins so, and what comes after it.
fn mention<'a>(text: &'a str, opening: &str) -> Option<(&'a str, &'a str)> {
    let rest = text.strip_prefix(opening)?;
    let end = rest.find(['\'', '\n']).filter(|end| *end > 0)?;
    let is_path = units(&rest[..end]) <= LONGEST_PATH;
    let after = rest[end..].strip_prefix("']\n")?;
    is_path.then_some((&rest[..end], after))
}

/// The next heading from `at` on: where it begins with its empty line, the path, and what comes after it.
fn next_mention(text: &str, mut at: usize) -> Option<(usize, &str, &str)> {
    const OPENING: &str = "[read_file for '";
    if at == 0
        && let Some((path, rest)) = mention(text, OPENING)
    {
        return Some((0, path, rest));
    }
    loop {
        let start = next_at(text, "\n\n", at)?;
        if let Some((path, rest)) = mention(&text[start + 2..], OPENING) {
            return Some((start, path, rest));
        }
        at = start + 1;
    }
}

fn is_listed(text: &str, path: &str, folder: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    path.starts_with(folder.strip_prefix("./").unwrap_or(folder))
        && text.contains(&format!("── {name}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown<'a>(
        text: &'a str,
        files: &'a [ListedFile],
    ) -> Vec<(&'a str, &'a str, Option<&'a str>)> {
        let files = files.iter();
        files
            .map(|it| {
                (
                    &*it.copy.path,
                    &text[it.copy.range.clone()],
                    it.lines.as_deref(),
                )
            })
            .collect()
    }

    fn asked(paths: &[&str]) -> Vec<String> {
        paths.iter().map(|path| (*path).to_owned()).collect()
    }

    #[test]
    fn files_that_were_asked_for_are_found_under_their_names() {
        let text = "File: a\nLines 1-2:\n1 | x\n2 | File: b\n\n---\n\nFile: b\ny\n\nNote: File truncated.\n";
        let files = listed_in(text, &asked(&["a", "b"])).expect("files");
        assert_eq!(
            shown(text, &files),
            [
                ("a", "1 | x\n2 | File: b", Some("1-2")),
                ("b", "y\n\nNote: File truncated.\n", None)
            ]
        );
        assert!(files[1].notes.contains("Note: "));
        assert_eq!(listed_in(text, &asked(&["b"])).map(|it| it.len()), Some(1));
    }

    #[test]
    fn what_is_not_shown_is_not_known() {
        for (text, expected) in [
            ("File: a\nError: no", None),
            ("File: c\nx", Some(0)),
            ("x", Some(0)),
            (
                "<files>\n<file><path>a</path><error>no</error></file>",
                None,
            ),
            ("The user approved this.", None),
            ("The user approved this.\nFile: a\nx", Some(1)),
            (
                "{ \"status\": \"approved\" }\n<file><path>a</path><content>\nx</content></file>",
                Some(1),
            ),
        ] {
            let found = listed_in(text, &asked(&["a"])).map(|it| it.len());
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn a_mention_has_one_file_and_a_folder_those_that_it_lists() {
        let one = "[read_file for 'a.ts']\nFile: a.ts\nx\n\n[read_file for 'b.ts']\nFile: b.ts\ny";
        let files = files_mentioned(one).expect("a mention");
        assert_eq!(shown(one, &files)[0].0, "a.ts");
        assert_eq!(files.len(), 1);
        let folder = "[read_file for folder './src']\n├── a.ts\n└── b.ts\n\n[read_file for 'src/a.ts']\nNote: cut.\n\nFile: src/a.ts\nx\n\n[read_file for 'src/c.ts']\nFile: src/c.ts\n\n[read_file for 'src/b.ts']\nFile: src/b.ts\ny";
        let files = files_mentioned(folder).expect("a mention");
        let paths: Vec<&str> = files.iter().map(|it| &*it.copy.path).collect();
        assert_eq!(paths, ["src/a.ts", "src/b.ts"]);
        assert_eq!(files[0].notes, "Note: cut.\n\n");
        assert_eq!(files_mentioned("[read_file for 'a'] Result:\n"), None);
    }
}
