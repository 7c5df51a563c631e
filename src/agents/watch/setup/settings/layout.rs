//! The changes of a text that put an item in and take it out. One is the other's reverse wherever the item has lines
//! of its own.

use jsonc_parser::common::Range;
use serde::Serialize;
use serde_json::Value;
use serde_json::ser::{PrettyFormatter, Serializer};

/// The indentation at a place of a text, one step of it, and the line ends.
pub(super) struct Layout {
    indent: String,
    step: String,
    line_end: &'static str,
}

impl Layout {
    /// The layout of the line in which a place is.
    pub(super) fn at(text: &str, place: usize) -> Layout {
        let line = &text[text[..place].rfind('\n').map_or(0, |it| it + 1)..];
        let indented = text
            .lines()
            .find(|line| line.starts_with([' ', '\t']) && !line.trim().is_empty());
        Layout {
            indent: blank_start(line).to_owned(),
            step: indented.map_or("  ", blank_start).to_owned(),
            line_end: if text.contains("\r\n") { "\r\n" } else { "\n" },
        }
    }

    /// A value whose first line is indented already.
    pub(super) fn pretty(&self, value: &Value) -> String {
        let mut bytes = Vec::new();
        let formatter = PrettyFormatter::with_indent(self.step.as_bytes());
        let mut serializer = Serializer::with_formatter(&mut bytes, formatter);
        value
            .serialize(&mut serializer)
            .expect("a value of our own is JSON");
        let text = String::from_utf8(bytes).expect("JSON is UTF-8");
        // A string has no line ends in it, since they are escaped.
        text.replace('\n', &format!("{}{}", self.line_end, self.indent))
    }
}

/// The text with one more item at the end of a list, or one more property at the end of an object.
pub(super) fn with_item(
    text: &str,
    container: Range,
    items: &[Range],
    key: Option<&str>,
    value: &Value,
) -> String {
    let outer = Layout::at(text, container.start);
    let close = container.end - 1;
    let mut start = text[..container.start + 1].to_owned();
    let mut from = container.start + 1;
    let mut final_comma = "";
    if let Some(last) = items.last() {
        start = text[..last.end].to_owned();
        from = last.end;
        match comma_from(text, last.end) {
            Some(_) => final_comma = ",",
            None => start.push(','),
        }
    }
    // The rest of the last item's line stays there.
    let line = end_of_line(text, from, close, !final_comma.is_empty());
    let is_alone = text[line..close].contains(['\n', '\r']);
    start.push_str(if is_alone {
        &text[from..line]
    } else {
        text[from..line].trim_end()
    });
    let first = items.first().filter(|first| begins_line(text, first.start));
    let indent = match first {
        Some(first) => Layout::at(text, first.start).indent,
        None => format!("{}{}", outer.indent, outer.step),
    };
    let line_end = match text[line..].strip_prefix("\r\n") {
        Some(_) => "\r\n",
        None if is_alone => "\n",
        None => outer.line_end,
    };
    let inner = Layout {
        indent,
        step: outer.step,
        line_end: outer.line_end,
    };
    let name = key
        .map(|key| format!("{}: ", Value::from(key)))
        .unwrap_or_default();
    let item = format!(
        "{line_end}{}{name}{}{final_comma}",
        inner.indent,
        inner.pretty(value)
    );
    let end = if is_alone {
        String::new()
    } else {
        format!("{line_end}{}", outer.indent)
    };
    format!(
        "{start}{item}{end}{}",
        &text[if is_alone { line } else { close }..]
    )
}

/// The text without an item, its comma, and the lines that it has for itself.
pub(super) fn without_item(text: &str, item: Range, before: Option<Range>) -> String {
    let Range { start, end } = item;
    if let Some(comma) = comma_from(text, end) {
        let is_close = comma == end;
        let (first, last) = whole_lines(text, start, if is_close { end + 1 } else { end });
        let rest = if is_close {
            text[last..].to_owned()
        } else {
            without_at(text, comma, last)
        };
        return format!("{}{rest}", &text[..first]);
    }
    let (first, last) = whole_lines(text, start, end);
    let comma = before.and_then(|before| comma_from(text, before.end));
    let start = match comma {
        Some(comma) => format!("{}{}", &text[..comma], &text[comma + 1..first]),
        None => text[..first].to_owned(),
    };
    format!("{start}{}", &text[last..])
}

/// The index of the next token if it is a comma, comments aside.
fn comma_from(text: &str, from: usize) -> Option<usize> {
    let rest = after_blanks(&text[from..], true);
    rest.starts_with(',').then(|| text.len() - rest.len())
}

/// The text after blanks and comments; line ends count as blanks if the caller says so.
fn after_blanks(mut text: &str, with_lines: bool) -> &str {
    loop {
        let is_blank = |it: char| it.is_whitespace() && (with_lines || it != '\n' && it != '\r');
        let rest = text.trim_start_matches(is_blank);
        text = if let Some(comment) = rest.strip_prefix("/*") {
            comment.split_once("*/").map_or("", |(_, after)| after)
        } else if rest.starts_with("//") {
            let end = rest.find(['\n', '\r']).unwrap_or(rest.len());
            &rest[end..]
        } else {
            return rest;
        };
    }
}

/// The end of what belongs to the line of a place: blanks, comments, and a final comma if there is one.
fn end_of_line(text: &str, from: usize, close: usize, has_comma: bool) -> usize {
    let mut from = from;
    if has_comma {
        from = comma_from(text, from).expect("the comma was seen") + 1;
    }
    let rest = after_blanks(&text[from..close], false);
    close - rest.len()
}

fn without_at(text: &str, at: usize, from: usize) -> String {
    format!("{}{}", &text[from..at], &text[at + 1..])
}

/// A range, and the whole of its lines if nothing else stands there.
fn whole_lines(text: &str, start: usize, end: usize) -> (usize, usize) {
    let first = text[..start].trim_end_matches([' ', '\t']).len();
    let is_first = first == 0 || text[..first].ends_with('\n');
    let rest = text[end..].trim_start_matches([' ', '\t']);
    let after = rest
        .strip_prefix("\r\n")
        .or_else(|| rest.strip_prefix('\n'));
    match after {
        Some(after) if is_first => (first, text.len() - after.len()),
        // Between others on a line, the space before goes with it.
        _ => (first, end),
    }
}

fn begins_line(text: &str, place: usize) -> bool {
    let before = text[..place].trim_end_matches([' ', '\t']);
    before.ends_with('\n')
}

fn blank_start(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}
