//! Copies of files in the texts of Cline, Roo Code and Kilo Code: under the heading of a result, in the
//! answer to an edit, and where the user mentions a file.

use std::ops::Range;

use turnkeeper_base::text::first_units;
use turnkeeper_messages::{is_of_word, is_white, trimmed};

use super::pieces::{last_at, next_at};

/// A copy, and its place in its text, in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CopyInText {
    pub(super) path: String,
    pub(super) range: Range<usize>,
}

impl CopyInText {
    /// The same in a text of which this text is the rest, from `start` on.
    pub(super) fn moved(self, start: usize) -> Self {
        let range = self.range.start + start..self.range.end + start;
        Self { range, ..self }
    }
}

/// The heading of a result: `[read_file for 'a.ts'] Result:`
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ResultHeading<'a> {
    pub(super) tool: &'a str,
    /// The thing that it was for: a path, a command.
    pub(super) subject: Option<&'a str>,
    /// The place where the words of the tool begin.
    pub(super) end: usize,
}

/// The words between a tool and "Result:" are the host's own description of the call: one path, several, a number
/// of files, a reason, advice. It has no more units.
const LONGEST_DESCRIPTION: usize = 4_000;
const RESULT: &str = "] Result:";

/// The heading that a text begins with.
pub(super) fn heading_of(text: &str) -> Option<ResultHeading<'_>> {
    let (tool, rest) = word(text.strip_prefix('[')?)?;
    let line = first_units(until_line_feed(rest), LONGEST_DESCRIPTION + RESULT.len());
    let description = &line[..line.find(RESULT)?];
    let mut after = rest[description.len() + RESULT.len()..].trim_start_matches([' ', '\t']);
    while let Some(more) = after_line_break(after) {
        after = more;
    }
    Some(ResultHeading {
        tool,
        subject: subject_of(description),
        end: text.len() - after.len(),
    })
}

/// The thing that ` for 'a.ts'` names, at the end of a description or before more words.
fn subject_of(description: &str) -> Option<&str> {
    let rest = description.strip_prefix(" for '")?;
    let line = rest.split(super::pieces::ends_line).next()?;
    let ends = |at: &usize| {
        let after = &rest[at + 1..];
        after.is_empty() || after.starts_with(". ")
    };
    let mut quotes = line.match_indices('\'').map(|(at, _)| at);
    quotes.find(ends).map(|end| &rest[..end])
}

/// Whether a text may hold several results, so that nobody can say where the first ends.
pub(super) fn holds_other_heading(text: &str) -> bool {
    text.contains(RESULT)
        && text.match_indices("\n[").any(|(at, found)| {
            let Some((_, rest)) = word(&text[at + found.len()..]) else {
                return false;
            };
            let described = rest.strip_prefix(" for ").is_some_and(|rest| {
                let most = LONGEST_DESCRIPTION + RESULT.len();
                first_units(until_line_feed(rest), most).contains(RESULT)
            });
            described || rest.starts_with(RESULT)
        })
}

fn word(text: &str) -> Option<(&str, &str)> {
    let rest = text.trim_start_matches(is_of_word);
    let word = &text[..text.len() - rest.len()];
    (!word.is_empty()).then_some((word, rest))
}

fn until_line_feed(text: &str) -> &str {
    text.split('\n').next().unwrap_or(text)
}

fn after_line_break(text: &str) -> Option<&str> {
    text.strip_prefix("\r\n")
        .or_else(|| text.strip_prefix('\n'))
}

/// The whole file in the answer to an edit. Nothing but what the host says comes after it, so a file that
/// quotes the tags goes up to the last one.
pub(super) fn copy_in_answer(text: &str) -> Option<CopyInText> {
    let of = |tag| framed(text, tag, true, 0);
    of("final_file_content").or_else(|| of("file_content"))
}

/// The whole files in the answer to a patch, which may have changed several.
pub(super) fn copies_in_answer(text: &str) -> Vec<CopyInText> {
    all_framed(text, "final_file_content")
}

/// The files that the user mentions, as hosts add them to the end of what the user said, with other things that
/// are mentioned. What the user quotes has words of the user's after it, or the end of a fence or of an element.
pub(super) fn mentioned_files(text: &str) -> Vec<CopyInText> {
    let mut found = all_framed(text, "file_content");
    found.retain(|copy| is_mention(text, &copy.range).unwrap_or_default());
    found
}

fn is_mention(text: &str, copy: &Range<usize>) -> Option<bool> {
    let opening = last_at(text, "<file_content ", copy.start)?;
    let closing = next_at(text, ">", next_at(text, "</file_content", copy.end)?)?;
    let after = text[closing + 1..].trim_start_matches(is_white);
    let begins_line = opening == 0 || text[..opening].ends_with('\n');
    let is_last = after.is_empty()
        || after.starts_with('<') && !after.starts_with("</")
        || after.starts_with("</folder_content>")
        || after.starts_with("</file_content>");
    Some(begins_line && is_last)
}

fn all_framed(text: &str, tag: &str) -> Vec<CopyInText> {
    let opening = format!("<{tag} path=");
    let mut found = Vec::new();
    if !text.contains(&opening) {
        return found;
    }
    let mut from = 0;
    while let Some(copy) = framed(text, tag, false, from) {
        from = copy.range.end;
        // A file that quotes such an element cannot be told from two.
        if !text[copy.range.clone()].contains(&opening) {
            found.push(copy);
        }
    }
    found
}

fn framed(text: &str, tag: &str, is_last: bool, from: usize) -> Option<CopyInText> {
    let opening = format!("<{tag} path=\"");
    let mut at = from;
    let (path, start) = loop {
        at = next_at(text, &opening, at)? + opening.len();
        if let Some((path, rest)) = path_of_opening(&text[at..]) {
            break (path, text.len() - rest.len());
        }
    };
    let close = format!("</{tag}>");
    let end = match is_last {
        true => text.rfind(&close)?,
        false => next_at(text, &close, start)?,
    };
    // The line breaks that set the file off from its tags.
    let content = text.get(start..end)?;
    let from_first = after_line_break(content).unwrap_or(content);
    let inner = from_first.strip_suffix('\n').unwrap_or(from_first);
    let inner = match inner.len() < from_first.len() {
        true => inner.strip_suffix('\r').unwrap_or(inner),
        false => inner,
    };
    let start = end - from_first.len();
    let range = start..start + inner.len();
    (!range.is_empty()).then_some(CopyInText { path, range })
}

/// The path that an opening tag names, and what comes after the tag; after `path="`.
fn path_of_opening(text: &str) -> Option<(String, &str)> {
    let (path, rest) = quoted(text, &['"', '\n'])?;
    // The folder is that of a workspace that has several.
    let named = rest
        .strip_prefix(" workspace=\"")
        .and_then(|it| quoted(it, &['"', ':', '/', '\n']))
        .and_then(|(folder, rest)| Some((format!("@{folder}:{path}"), end_of_tag(rest)?)));
    named.or_else(|| Some((path.to_owned(), end_of_tag(rest)?)))
}

/// A value up to the quotation mark that ends it; `ends` are all characters that it cannot have.
fn quoted<'a>(text: &'a str, ends: &[char]) -> Option<(&'a str, &'a str)> {
    let end = text.find(ends).filter(|end| *end > 0)?;
    Some((&text[..end], text[end..].strip_prefix('"')?))
}

/// Other attributes have no more units.
const LONGEST_ATTRIBUTES: usize = 200;

fn end_of_tag(text: &str) -> Option<&str> {
    let attributes = first_units(text, LONGEST_ATTRIBUTES + 1);
    let end = attributes.find(['>', '\n'])?;
    text[end..].strip_prefix('>')
}

/// A file of a result that may hold several, as Roo Code reads them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ListedFile {
    pub(super) copy: CopyInText,
    /// The lines that the result says it has.
    pub(super) lines: Option<String>,
    /// The words of the result beside the content: that it was cut, or could not be read.
    pub(super) notes: String,
}

/// The files of `<files><file><path>a.ts</path><content lines="1-9">…`.
pub(super) fn listed_files(text: &str) -> Vec<ListedFile> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(opening) = next_at(text, "<file>", at) {
        at = opening + "<file>".len();
        let Some((path, rest)) = path_element(&text[at..]) else {
            continue;
        };
        let from = text.len() - rest.len();
        let end = next_at(text, "\n</file>", from).unwrap_or(text.len());
        at = end;
        let Some((opens, start, lines)) = next_content(text, from) else {
            continue;
        };
        let Some(last) = last_at(text, "</content>", end) else {
            continue;
        };
        if opens > end || last < start {
            continue;
        }
        let notes = format!("{}{}", &text[from..opens], &text[last..end.max(last)]);
        let path = trimmed(path).to_owned();
        let range = start..last;
        found.push(ListedFile {
            copy: CopyInText { path, range },
            lines,
            notes,
        });
    }
    found
}

/// `<path>a.ts</path>`, and what comes after it.
fn path_element(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start_matches(is_white).strip_prefix("<path>")?;
    let end = text.find(['<', '\n']).filter(|end| *end > 0)?;
    Some((&text[..end], text[end..].strip_prefix("</path>")?))
}

/// The next `<content lines="1-9">`: where it begins, where the content begins, and the lines.
fn next_content(text: &str, from: usize) -> Option<(usize, usize, Option<String>)> {
    const OPENING: &str = "<content";
    let mut at = from;
    loop {
        let opens = next_at(text, OPENING, at)?;
        at = opens + OPENING.len();
        let rest = &text[at..];
        let (lines, rest) = match rest
            .strip_prefix(" lines=\"")
            .and_then(|it| it.split_once('"'))
        {
            Some((lines, rest)) => (Some(lines.to_owned()), rest),
            None => (None, rest),
        };
        if let Some(rest) = rest.strip_prefix('>') {
            let rest = after_line_break(rest).unwrap_or(rest);
            return Some((opens, text.len() - rest.len(), lines));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_names_its_tool_and_often_what_it_was_for() {
        for (text, expected) in [
            (
                "[read_file for 'a.ts'] Result:\n\nx",
                Some(("read_file", Some("a.ts"), "x")),
            ),
            (
                "[read_file for 'it's.ts'. Reason: x] Result: x",
                Some(("read_file", Some("it's.ts"), "x")),
            ),
            ("[ls] Result:\r\n\n x", Some(("ls", None, " x"))),
            (
                "[read_file for 2 files] Result:\nx",
                Some(("read_file", None, "x")),
            ),
            ("[a] b] Result: x", Some(("a", None, "x"))),
            ("[a\n] Result: x", None),
            ("[] Result: x", None),
            ("[read_file for 'a.ts']\nx", None),
            ("read_file] Result: x", None),
        ] {
            let found = heading_of(text).map(|it| (it.tool, it.subject, &text[it.end..]));
            assert_eq!(found, expected, "{text}");
        }
        let long = format!("[a for '{}'] Result: x", "b".repeat(4_100));
        assert_eq!(heading_of(&long), None);
    }

    #[test]
    fn other_headings_are_seen() {
        for (text, expected) in [
            ("x\n[ls] Result:", true),
            ("x\n[read_file for 'a'] Result:", true),
            ("[ls] Result:", false),
            ("x\n[ls of it] Result:", false),
            ("x\n[ls\n] Result:", false),
        ] {
            assert_eq!(holds_other_heading(text), expected, "{text}");
        }
    }

    fn contents<'a>(text: &'a str, copies: &[CopyInText]) -> Vec<(String, &'a str)> {
        let copies = copies.iter();
        copies
            .map(|copy| (copy.path.clone(), &text[copy.range.clone()]))
            .collect()
    }

    #[test]
    fn an_answer_shows_its_file_up_to_the_last_tag() {
        let text = "Done.\n<final_file_content path=\"a.ts\">\r\nx\n</final_file_content>\ny\r\n</final_file_content>\nz";
        let copy = copy_in_answer(text).expect("a file");
        assert_eq!(&text[copy.range], "x\n</final_file_content>\ny");
        for none in [
            "<final_file_content path=\"a.ts\">\n</final_file_content>",
            "</final_file_content><final_file_content path=\"a.ts\">",
            "<final_file_content path=\"\">x</final_file_content>",
            "<final_file_content path=\"a\nb\">x</final_file_content>",
        ] {
            assert_eq!(copy_in_answer(none), None, "{none}");
        }
    }

    #[test]
    fn mentions_stand_at_the_end_and_quotations_do_not() {
        let mention = "Look.\n\n<file_content path=\"a.ts\" workspace=\"web\">\nx\n</file_content>\n\n<file_content path=\"b.ts\" more=\"1\">\ny\n</file_content>\n";
        let expected = [("@web:a.ts".to_owned(), "x"), ("b.ts".to_owned(), "y")];
        assert_eq!(contents(mention, &mentioned_files(mention)), expected);
        for quotation in [
            "<file_content path=\"a.ts\">\nx\n</file_content> is what it says",
            "It says <file_content path=\"a.ts\">\nx\n</file_content>",
            "```\n<file_content path=\"a.ts\">\nx\n</file_content>\n```",
            "<file_content path=\"a\">\n<file_content path=\"b\">\nx\n</file_content>",
        ] {
            assert_eq!(mentioned_files(quotation), [], "{quotation}");
        }
    }

    #[test]
    fn listed_files_have_their_lines_and_notes() {
        let text = "<files>\n<file><path>a.ts</path>\n<content lines=\"1-2\">\n1 | x\n2 | y\n</content>\n<notice>cut</notice>\n</file>\n<file><path>b.ts</path><error>no</error>\n</file>\n<file>\n<path> c.ts </path><content>\nz</content></files>";
        let found = listed_files(text);
        let shown: Vec<_> = found
            .iter()
            .map(|it| {
                (
                    &*it.copy.path,
                    &text[it.copy.range.clone()],
                    it.lines.as_deref(),
                )
            })
            .collect();
        assert_eq!(
            shown,
            [("a.ts", "1 | x\n2 | y\n", Some("1-2")), ("c.ts", "z", None)]
        );
        assert_eq!(found[0].notes, "\n</content>\n<notice>cut</notice>");
    }
}
