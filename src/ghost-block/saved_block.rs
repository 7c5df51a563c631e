//! Blocks of saved conversations in other spellings: JSON on one line, and the Markdown that some agents
//! wrote before.
//!
//! ```text
//! <content_reference>
//!
//! # Source: src/a.ts (v2)
//!
//! …the file, in a block of code…
//!
//! # Tool Call: ls
//! > Args: {"uri": "."}
//!
//! …the result…
//! </content_reference>
//! ```

use serde_json::{Map, Value, json};

use super::block::{self, read};
use super::json::Json;
use super::syntax::{part, starts_with};
use turnkeeper_base::json;
use turnkeeper_base::text::lossy;

const OPEN: &str = "<content_reference>";
const CLOSE: &str = "</content_reference>";
/// A file can quote the tag, and then the block begins with an earlier one.
const MOST_OPENINGS: usize = 16;
const FILE: &str = "# Source: ";
const TOOL: &str = "# Tool Call: ";
const ARGS: &str = "> Args: ";

/// The end of a saved text.
pub(crate) enum Saved<'a> {
    /// No block.
    Nothing,
    /// A text from this offset on that looks like a block and cannot be read.
    Unreadable(usize),
    /// A block after the user's own text.
    Block { user: &'a [u16], block: Json },
}

/// Looks for the block that ends a saved text, in any spelling.
pub(crate) fn split_saved(units: &[u16]) -> Saved<'_> {
    if let (user, Some(block)) = block::split(units) {
        return match read(block) {
            Some(block) => Saved::Block { user, block },
            None => Saved::Unreadable(user.len()),
        };
    }
    let end = block::without_blanks_at_end(units).len();
    let Some(close) = end.checked_sub(CLOSE.len()) else {
        return Saved::Nothing;
    };
    if !starts_with(part(units, close, end), CLOSE) {
        return Saved::Nothing;
    }
    let mut first = None;
    let begins = |at: &usize| {
        starts_with(part(units, *at, close), OPEN) && (*at == 0 || units[*at - 1] == 0x0a)
    };
    for open in (0..close).rev().filter(begins).take(MOST_OPENINGS) {
        first = Some(open);
        let inside = part(units, open + OPEN.len(), close);
        if let Some(block) = of_json(inside).or_else(|| of_markdown(&lossy(inside))) {
            let user = part(units, 0, open - line_ends_before(units, open));
            return Saved::Block { user, block };
        }
    }
    first.map_or(Saved::Nothing, Saved::Unreadable)
}

/// A saved text without the block that ends it, in whichever spelling.
pub fn without_saved_block(units: &[u16]) -> &[u16] {
    match split_saved(units) {
        Saved::Block { user, .. } => user,
        _ => units,
    }
}

/// The units of at most two line ends before an offset.
fn line_ends_before(units: &[u16], at: usize) -> usize {
    let mut start = at;
    for _ in 0..2 {
        if start > 0 && units[start - 1] == 0x0a {
            start -= 1;
            start -= usize::from(start > 0 && units[start - 1] == 0x0d);
        }
    }
    at - start
}

fn of_json(inside: &[u16]) -> Option<Json> {
    let block = Json::parse(inside)?;
    let has_section = block::SECTIONS
        .iter()
        .any(|(_, name)| block.get(name).is_some());
    has_section.then_some(block)
}

fn of_markdown(inside: &str) -> Option<Json> {
    let lines: Vec<&str> = inside.lines().collect();
    let begins_entry = |line: &str| line.starts_with(FILE) || line.starts_with(TOOL);
    let starts: Vec<usize> = (0..lines.len())
        .filter(|at| begins_entry(lines[*at]) && (*at == 0 || lines[*at - 1].is_empty()))
        .collect();
    let mut files = Map::new();
    let mut tools = Vec::new();
    for (place, start) in starts.iter().enumerate() {
        let end = starts.get(place + 1).copied().unwrap_or(lines.len());
        let body = &lines[start + 1..end];
        if let Some(key) = lines[*start].strip_prefix(FILE) {
            if let Some(content) = code_in(body) {
                files.insert(without_version(key).to_owned(), content.into());
            }
        } else if let Some(name) = lines[*start].strip_prefix(TOOL)
            && let Some((args, result)) = call_in(body)
        {
            let name = name.split(['{', '(']).next().unwrap_or_default().trim();
            tools.push(json!({ "name": name, "args": args, "result": result }));
        }
    }
    // A text that only has the tags is no block.
    if starts.is_empty() {
        return None;
    }
    let block = json::written(&json!({ "files": files, "tools": tools }));
    Json::parse(&block.encode_utf16().collect::<Vec<_>>())
}

/// The key of a file without the version after it.
fn without_version(key: &str) -> &str {
    match key.rsplit_once(" (v") {
        Some((path, version)) if version.ends_with(')') => path.trim(),
        _ => key.trim(),
    }
}

/// The content of the block of code, up to the last line that closes it, since the file may have fences.
fn code_in(body: &[&str]) -> Option<String> {
    let open = body.iter().position(|line| !line.is_empty())?;
    let close = body.iter().rposition(|line| *line == "```")?;
    let is_code = body[open].starts_with("```") && open < close;
    is_code.then(|| body[open + 1..close].join("\n"))
}

/// The arguments and the result of a call.
fn call_in(body: &[&str]) -> Option<(Value, String)> {
    let at = body.iter().position(|line| line.starts_with(ARGS))?;
    let args = serde_json::from_str(&body[at][ARGS.len()..]).ok();
    let args = args.filter(Value::is_object).unwrap_or_else(|| json!({}));
    Some((args, body[at + 1..].join("\n").trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The user's text and the block as JSON, `unreadable`, or nothing.
    fn split(text: &str) -> Option<(String, String)> {
        let units: Vec<u16> = text.encode_utf16().collect();
        match split_saved(&units) {
            Saved::Nothing => None,
            Saved::Unreadable(at) => Some((lossy(&units[..at]), "unreadable".to_owned())),
            Saved::Block { user, block } => Some((lossy(user), block.canonical())),
        }
    }

    #[test]
    fn json_in_any_spelling_is_a_block() {
        let expected = r#"{"files":{"a.ts":"x"}}"#;
        for (text, user) in [
            (
                r#"hi<content_reference>{"files":{"a.ts":"x"}}</content_reference>"#,
                None,
            ),
            (
                "hi\n<content_reference>{\"files\":{\"a.ts\":\"x\"}}</content_reference>",
                Some("hi"),
            ),
            (
                "hi\n\n<content_reference>\n{\"files\": {\"a.ts\": \"x\"}}\n</content_reference>\n",
                Some("hi"),
            ),
            (
                "<content_reference> {\"files\":{\"a.ts\":\"x\"}} </content_reference>",
                Some(""),
            ),
            (
                "hi\r\n\r\n<content_reference>{\"files\":{\"a.ts\":\"x\"}}</content_reference>",
                Some("hi"),
            ),
        ] {
            let expected = user.map(|user| (user.to_owned(), expected.to_owned()));
            assert_eq!(split(text), expected, "{text:?}");
        }
    }

    #[test]
    fn markdown_is_a_block_with_its_files_and_calls() {
        let text = "Explain.\n<content_reference>\n\nFiles:\n\n# Source: src/a.md (v2)\n\n```markdown\n# A\n```js\nx\n```\nend\n```\n\n\
            # Source: b.ts (v1)\n> Content unchanged. See previous version  (v1).\n\n\
            # Tool Call: ls\n> Args: {\"uri\":\".\"}\n\na\nb\n</content_reference>";
        let block = r##"{"files":{"src/a.md":"# A\n```js\nx\n```\nend"},"tools":[{"args":{"uri":"."},"name":"ls","result":"a\nb"}]}"##;
        assert_eq!(split(text), Some(("Explain.".to_owned(), block.to_owned())));
    }

    #[test]
    fn what_looks_like_a_block_and_cannot_be_read_is_told() {
        for text in [
            "hi\n<content_reference>\nmore\n</content_reference>",
            "hi\n<content_reference>{\"files\":</content_reference>",
            "hi\n<content_reference>{\"a\":1}</content_reference>",
        ] {
            assert_eq!(
                split(text),
                Some(("hi\n".to_owned(), "unreadable".to_owned()))
            );
        }
        for text in [
            "",
            "</content_reference>",
            "a <content_reference> b </content_reference>",
        ] {
            assert_eq!(split(text), None, "{text}");
        }
    }
}
