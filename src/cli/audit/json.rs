//! The report as JSON; `docs/audit.schema.json` describes it.

use serde::Serialize;
use turnkeeper_base::json::written;

use crate::terminal::output::Output;

/// Everything as one JSON object.
pub(super) fn show(output: &mut Output, report: &impl Serialize) {
    for line in indented(&written(report)).lines() {
        output.json_text(line);
    }
}

/// JSON in a line, as `JSON.stringify` writes it in lines that are indented by a space.
fn indented(json: &str) -> String {
    let mut text = String::with_capacity(json.len() * 2);
    let mut depth = 0;
    let (mut is_string, mut is_escaped) = (false, false);
    let mut characters = json.chars().peekable();
    while let Some(it) = characters.next() {
        if is_string {
            text.push(it);
            is_string = it != '"' || is_escaped;
            is_escaped = it == '\\' && !is_escaped;
            continue;
        }
        let is_empty = |next: Option<&char>| matches!(next, Some(']' | '}'));
        match it {
            '[' | '{' if is_empty(characters.peek()) => {
                text.push(it);
                text.extend(characters.next());
            }
            '[' | '{' => {
                depth += 1;
                text.push(it);
                break_line(&mut text, depth);
            }
            ']' | '}' => {
                depth -= 1;
                break_line(&mut text, depth);
                text.push(it);
            }
            ',' => {
                text.push(it);
                break_line(&mut text, depth);
            }
            ':' => text.push_str(": "),
            _ => {
                is_string = it == '"';
                text.push(it);
            }
        }
    }
    text
}

fn break_line(text: &mut String, depth: usize) {
    text.push('\n');
    text.extend(std::iter::repeat_n(' ', depth));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_indented_outside_of_strings() {
        let json = r#"{"a":[1,{"b\"[,":"\\"},[],{}],"c":"x:{}"}"#;
        let expected = "{\n \"a\": [\n  1,\n  {\n   \"b\\\"[,\": \"\\\\\"\n  },\n  [],\n  {}\n ],\n \"c\": \"x:{}\"\n}";
        assert_eq!(indented(json), expected);
        assert_eq!(indented("[]"), "[]");
    }
}
