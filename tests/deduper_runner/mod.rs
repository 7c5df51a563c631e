//! Runs the cases of `tests/fixtures/history-deduper/`; see `tests/fixtures/README.md`.
//!
//! Messages are plain JSON here. Every text of a user message is given to the deduper, so that what
//! JavaScript leaves out beforehand cannot make a difference unnoticed.

use serde_json::{Value, json};
use turnkeeper_core::history_deduper::{Action, Edit, Message, Plan, Text, TextKind};
use turnkeeper_core::{DedupeOptions, HistoryDeduper};

const FILES: [(&str, &str); 5] = [
    (
        "blocks",
        include_str!("../fixtures/history-deduper/blocks.json"),
    ),
    (
        "strings",
        include_str!("../fixtures/history-deduper/strings.json"),
    ),
    (
        "quotations",
        include_str!("../fixtures/history-deduper/quotations.json"),
    ),
    (
        "embedded",
        include_str!("../fixtures/history-deduper/embedded.json"),
    ),
    (
        "older-messages",
        include_str!("../fixtures/history-deduper/older-messages.json"),
    ),
];

/// Every case of a file, by the file's name.
pub fn run(file: &str) {
    let found = FILES.iter().find(|(name, _)| *name == file);
    let (_, text) = found.expect("a known file");
    let cases: Vec<Value> = serde_json::from_str(text).expect("fixtures are JSON");
    assert!(!cases.is_empty());
    cases.iter().for_each(run_case);
}

/// The names of all files, so that none is forgotten.
pub fn files() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(name, _)| *name)
}

fn run_case(case: &Value) {
    let name = case["name"].as_str().expect("a case has a name");
    let options = case.get("options").cloned().unwrap_or_else(|| json!({}));
    let options = DedupeOptions::from_json(&options.to_string()).expect(name);
    let messages = case["messages"].as_array().expect("a case has messages");
    let expected = case.get("result").unwrap_or(&case["messages"]);

    let (result, report) = whole(&options, messages);
    assert_eq!(json!(result), *expected, "{name}");
    let fields = case.get("report").and_then(Value::as_object);
    for (field, expected) in fields.into_iter().flatten() {
        assert_eq!(report[field], *expected, "{name}: {field} of {report}");
    }
    let (again, report) = whole(&options, &result);
    assert_eq!(again, result, "{name}, a second time");
    assert_eq!(
        report["messagesChanged"], 0,
        "{name}, a second time: {report}"
    );
    if options.recent.is_none() && options.sections.is_none() {
        assert_eq!(one_by_one(&options, messages), result, "{name}, one by one");
    }
}

fn whole(options: &DedupeOptions, messages: &[Value]) -> (Vec<Value>, Value) {
    let mut deduper = HistoryDeduper::new(options.clone()).expect("valid options");
    let users = messages.iter().filter(|message| message["role"] == "user");
    deduper.expect_user_messages(users.count() as u64);
    let mut user = 0;
    for (index, message) in (0..).zip(messages) {
        if message["role"] == "user" {
            with_texts(message, |message| deduper.read(index, user, message));
            user += 1;
        }
    }
    let mut result = messages.to_vec();
    for (index, plan) in deduper.finish() {
        let message = &mut result[index as usize];
        *message = applied(message, &plan);
    }
    let report = serde_json::to_value(deduper.report()).expect("a report is plain data");
    (result, report)
}

fn one_by_one(options: &DedupeOptions, messages: &[Value]) -> Vec<Value> {
    let mut deduper = HistoryDeduper::new(options.clone()).expect("valid options");
    let mut user = 0;
    let mut result = Vec::new();
    for (index, message) in (0..).zip(messages) {
        let mut plan = Plan::new();
        if message["role"] == "user" {
            with_texts(message, |message| plan = deduper.push(index, user, message));
            user += 1;
        }
        result.push(applied(message, &plan));
    }
    result
}

/// Where the last text of a tool's result stands: in its content, or in a part of that.
fn result_text(part: &mut Value) -> Option<&mut Value> {
    match &mut part["content"] {
        Value::Array(parts) => parts
            .iter_mut()
            .rfind(|part| part["type"] == "text")
            .map(|part| &mut part["text"]),
        text => Some(text),
    }
}

fn text_of(part: &mut Value) -> Option<(TextKind, &mut Value)> {
    if part["type"] == "text" {
        Some((TextKind::Part, &mut part["text"]))
    } else if part["type"] == "tool_result" {
        Some((TextKind::ToolResult, result_text(part)?))
    } else {
        None
    }
}

fn with_texts(message: &Value, take: impl FnOnce(&Message)) {
    let units = |text: &str| text.encode_utf16().collect::<Vec<u16>>();
    let mut texts = Vec::new();
    let (mut parts, mut has_more) = (1, false);
    match &message["content"] {
        Value::String(text) => texts.push((0, TextKind::Content, units(text))),
        Value::Array(content) => {
            parts = content.len() as u32;
            for (at, part) in (0..).zip(content) {
                let mut part = part.clone();
                match text_of(&mut part) {
                    Some((kind, Value::String(text))) => texts.push((at, kind, units(text))),
                    _ => has_more = true,
                }
            }
        }
        _ => {}
    }
    let texts = texts.iter().map(|(part, kind, units)| Text {
        part: *part,
        kind: *kind,
        units,
    });
    let texts: Vec<Text> = texts.collect();
    take(&Message {
        texts: &texts,
        parts,
        has_more,
    });
}

fn pick(edit: &Edit, text: &Value) -> Value {
    let units: Vec<u16> = text.as_str().expect("a text").encode_utf16().collect();
    String::from_utf16(&edit.pick(&units))
        .expect("whole characters")
        .into()
}

fn applied(message: &Value, plan: &Plan) -> Value {
    let mut message = message.clone();
    if plan.is_empty() {
        return message;
    }
    if message["content"].is_string() {
        assert_eq!((plan.len(), plan[0].action), (1, Action::Rewrite));
        message["content"] = pick(&plan[0], &message["content"]);
        return message;
    }
    let content = message["content"].as_array().expect("parts").clone();
    let mut parts: Vec<Option<Value>> = content.iter().cloned().map(Some).collect();
    let mut end = Vec::new();
    for edit in plan {
        let at = edit.part as usize;
        let mut part = content[at].clone();
        if !edit.ranges.is_empty() {
            let (_, text) = text_of(&mut part).expect("a text was edited");
            *text = pick(edit, text);
        }
        match edit.action {
            Action::Rewrite => parts[at] = Some(part),
            Action::Drop => parts[at] = None,
            Action::Move => {
                parts[at] = None;
                end.push(part);
            }
            Action::Append => {
                let (_, text) = text_of(&mut part).expect("a text was edited");
                end.push(json!({ "type": "text", "text": text }));
            }
        }
    }
    message["content"] = parts.into_iter().flatten().chain(end).collect();
    message
}
