//! Calls that a model writes into its text as data, as hosts ask of models that cannot call tools otherwise:
//!
//! ```text
//! <tool_call>{"name": "read", "arguments": {"path": "a.ts"}}</tool_call>
//! <function=read><parameter=path>a.ts</parameter></function>
//! <invoke name="read"><parameter name="path">a.ts</parameter></invoke>
//! ```
//!
//! The name of the element decides nothing: what is between its tags is an object of JSON, or a list of them, with a tool
//! and its arguments and nothing else. The same object may be fenced, or be the whole text.

use std::ops::Range;

use turnkeeper_base::json::{Json, parse};
use turnkeeper_messages::trimmed;

/// A call in a text.
#[derive(Debug, PartialEq)]
pub(super) struct WrittenCall {
    /// Where it stands, in bytes; the calls of one list stand in one place.
    pub(super) range: Range<usize>,
    pub(super) name: String,
    pub(super) args: Json<'static>,
}

const NAMES: [&str; 5] = ["name", "tool", "tool_name", "function", "action"];
const ARGUMENTS: [&str; 7] = [
    "arguments", "parameters", "args", "input", "tool_input", "action_input", "params",
];

/// No more elements are looked at in a text.
const MOST_ELEMENTS: usize = 100;

/// The calls in a text, in their order.
pub(super) fn written_calls(text: &str) -> Vec<WrittenCall> {
    let whole = 0..text.len();
    let mut found = calls_of_json(text, whole);
    let mut at = 0;
    for _ in 0..MOST_ELEMENTS {
        if found
            .last()
            .is_some_and(|call| call.range.end == text.len())
        {
            break;
        }
        let Some(opening) = next_opening(text, at) else {
            break;
        };
        at = opening.end;
        let Some(inside) = text[at..].find(&opening.close).map(|end| at..at + end) else {
            continue;
        };
        let range = opening.start..inside.end + opening.close.len();
        let calls = match opening.tool {
            Some(tool) => vec![WrittenCall {
                range: range.clone(),
                name: tool.to_owned(),
                args: parameters(&text[inside]),
            }],
            None => calls_of_json(&text[inside], range.clone()),
        };
        if !calls.is_empty() {
            at = range.end;
            found.extend(calls);
        }
    }
    found
}

/// What may open a call.
struct Opening<'a> {
    start: usize,
    end: usize,
    close: String,
    /// The tool that it names.
    tool: Option<&'a str>,
}

/// The next tag that names a tool or after which JSON begins, or the next fence after which it does.
fn next_opening(text: &str, mut at: usize) -> Option<Opening<'_>> {
    loop {
        let start = at + text[at..].find(['<', '`'])?;
        at = start + 1;
        if let Some(after) = text[start..].strip_prefix("```") {
            let end = text.len() - after.len();
            let line = after.find('\n').unwrap_or(after.len());
            if is_json(&after[line..]) {
                return Some(Opening {
                    start,
                    end: end + line,
                    close: "\n```".to_owned(),
                    tool: None,
                });
            }
            at = end;
            continue;
        }
        let (tag, after) = text[at..].split_once('>')?;
        let end = text.len() - after.len();
        let tag = match tag.rfind('<') {
            // A bracket in a sentence.
            Some(_) => continue,
            None => tag,
        };
        let tool = tag
            .strip_prefix("function=")
            .or_else(|| tag.strip_prefix("invoke name=\"")?.strip_suffix('"'));
        let name = tag.split(['=', ' ']).next().unwrap_or_default();
        let is_name = |it: char| it.is_alphanumeric() || matches!(it, '_' | '-' | '|');
        if tool.is_some() || !name.is_empty() && name.chars().all(is_name) && is_json(after) {
            return Some(Opening {
                start,
                end,
                close: format!("</{name}>"),
                tool,
            });
        }
    }
}

fn is_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '['])
}

/// The calls that a text is, if it is one or a list of them.
fn calls_of_json(text: &str, range: Range<usize>) -> Vec<WrittenCall> {
    if !is_json(text) {
        return Vec::new();
    }
    let mut room = Vec::new();
    let Ok(value) = parse(trimmed(text).as_bytes(), &mut room) else {
        return Vec::new();
    };
    let values = match &value {
        Json::List(values) => values,
        value => std::slice::from_ref(value),
    };
    let calls = values.iter().map(|value| {
        let (name, args) = call_of(value)?;
        Some(WrittenCall {
            range: range.clone(),
            name,
            args,
        })
    });
    calls.collect::<Option<_>>().unwrap_or_default()
}

fn call_of(value: &Json) -> Option<(String, Json<'static>)> {
    let Json::Object(fields) = value else {
        return None;
    };
    // OpenAI's shape.
    if let Some(function @ Json::Object(_)) = value.get("function") {
        return call_of(function);
    }
    let first = |names: &[&str]| names.iter().find_map(|name| value.get(name));
    let name = first(&NAMES)?.as_text()?;
    let args = first(&ARGUMENTS)?;
    let is_said = |name: &str| matches!(name, "id" | "type" | "thought" | "thoughts");
    let is_known = |name: &str| NAMES.contains(&name) || ARGUMENTS.contains(&name) || is_said(name);
    let are_args = matches!(args, Json::Object(_) | Json::Text(_));
    (are_args && fields.iter().all(|(name, _)| is_known(name)))
        .then(|| (name.to_owned(), args.clone().into_owned()))
}

/// The parameters of a call that are elements, or the JSON that they are.
fn parameters(text: &str) -> Json<'static> {
    let mut room = Vec::new();
    if let Ok(args @ Json::Object(_)) = parse(trimmed(text).as_bytes(), &mut room) {
        return args.into_owned();
    }
    let mut fields = Vec::new();
    for part in text.split("<parameter").skip(1) {
        let Some((name, rest)) = part.split_once('>') else {
            continue;
        };
        let name = name.trim_start_matches(['=', ' ']);
        let name = name.strip_prefix("name=").unwrap_or(name).trim_matches('"');
        let value = rest.split("</parameter>").next().unwrap_or_default();
        fields.push((name.to_owned().into(), trimmed(value).to_owned().into()));
    }
    Json::Object(fields)
}

#[cfg(test)]
mod tests {
    use turnkeeper_base::json::written;

    use super::*;

    fn calls(text: &str) -> Vec<String> {
        let calls = written_calls(text).into_iter();
        calls
            .map(|call| format!("{} {}", call.name, written(&call.args)))
            .collect()
    }

    #[test]
    fn a_call_is_found_by_what_it_holds() {
        let call = r#"{"name": "show", "arguments": {"path": "a.py"}}"#;
        let is = [r#"show {"path":"a.py"}"#];
        for text in [
            call.to_owned(),
            format!("I look.\n<tool_call>\n{call}\n</tool_call>"),
            format!("<|call|>{call}</|call|> and so on"),
            format!("```json\n{call}\n```"),
            format!("[{call}]"),
            r#"<x>{"tool":"show","tool_input":{"path":"a.py"}}</x>"#.to_owned(),
            r#"<c>{"id":"1","function":{"name":"show","arguments":{"path":"a.py"}}}</c>"#.to_owned(),
            "<function=show>\n<parameter=path>\na.py\n</parameter>\n</function>".to_owned(),
            r#"<calls><invoke name="show"><parameter name="path">a.py</parameter></invoke></calls>"#
                .to_owned(),
            r#"<function=show>{"path":"a.py"}</function>"#.to_owned(),
        ] {
            assert_eq!(calls(&text), is, "{text}");
        }
        let two = format!("<a>{call}</a>\n<a>{call}</a>");
        assert_eq!(calls(&two).len(), 2);
        assert_eq!(calls(&format!("<a>[{call},{call}]</a>")).len(), 2);
    }

    #[test]
    fn other_data_is_no_call() {
        for text in [
            "a < b and `c` > d",
            "<b>bold</b>",
            r#"<config>{"name":"site","port":80}</config>"#,
            r#"<person>{"name":"Ann","input":"x","age":7}</person>"#,
            "```json\n{\"name\": \"site\"}\n```",
            "```js\nconst a = {name: 1}\n```",
            r#"<a>{"name":"x","arguments":3}</a>"#,
            "<tool_call>{broken</tool_call>",
        ] {
            assert_eq!(calls(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn many_openings_take_no_longer_than_a_few() {
        assert_eq!(calls(&"<a>{".repeat(200_000)), [""; 0]);
        assert_eq!(calls(&"<".repeat(400_000)), [""; 0]);
    }
}
