//! Runs the cases of `tests/data/history-deduper/`; see `tests/data/README.md`.
//!
//! Messages are plain JSON here. Every text of a user message is given to the deduper, so that what
//! JavaScript leaves out beforehand cannot make a difference unnoticed.

use serde_json::{Value, json};
use turnkeeper_core::history_deduper::json::parse;
use turnkeeper_core::history_deduper::{
    CandidateText, MessagePosition, OnExisting, PartChange, PartEdit, TextPlace, TextRanges,
    UserMessage, dedupe_history,
};
use turnkeeper_core::{DedupeOptions, HistoryDeduper};

const FILES: [(&str, &str); 8] = [
    (
        "blocks",
        include_str!("../../data/history-deduper/blocks.json"),
    ),
    ("runs", include_str!("../../data/history-deduper/runs.json")),
    (
        "contents",
        include_str!("../../data/history-deduper/contents.json"),
    ),
    (
        "strings",
        include_str!("../../data/history-deduper/strings.json"),
    ),
    (
        "quotations",
        include_str!("../../data/history-deduper/quotations.json"),
    ),
    (
        "embedded",
        include_str!("../../data/history-deduper/embedded.json"),
    ),
    (
        "older-messages",
        include_str!("../../data/history-deduper/older-messages.json"),
    ),
    (
        "notes",
        include_str!("../../data/history-deduper/notes.json"),
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
    if case.get("content").is_some() {
        return run_content(name, case);
    }
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

/// A case of one content, which gets a block or loses all of them.
fn run_content(name: &str, case: &Value) {
    let mut options = case.get("options").cloned().unwrap_or_else(|| json!({}));
    let style = options.as_object_mut().expect("options are an object");
    let separator = style.remove("separator").unwrap_or_else(|| json!("\n\n"));
    let separator = separator.as_str().expect("white space");
    let keeps = style.remove("onExisting") == Some(json!("keep"));
    let options = DedupeOptions::from_json(&options.to_string()).expect(name);
    let deduper = HistoryDeduper::new(options).expect(name);
    let message = json!({ "content": case["content"] });
    let content = user_message(&message);
    if let Some(expected) = case.get("stripped") {
        let stripped = edited(&message, &deduper.strip(&content, separator));
        assert_eq!(stripped["content"], *expected, "{name}");
        return;
    }
    let fresh = deduper.fresh_block(case["details"].as_str().expect("a text"));
    let on_existing = if keeps {
        OnExisting::Keep
    } else {
        OnExisting::Replace
    };
    let placement = deduper.place_block(&content, &fresh, on_existing);
    let fresh = fresh.text.to_string();
    let mut result = edited(&message, &placement.edits)["content"].take();
    // A block that is there already is not told as one that gave way.
    let mut same = "";
    let part = format!("{separator}{fresh}");
    match &mut result {
        Value::String(text) if placement.adds_block => {
            let before = case["content"].as_str().expect("a string");
            let end = text.len() - placement.white_space_after;
            let is_after_text = placement.edits.is_empty() || placement.follows_other_block;
            let block = if is_after_text { &part } else { &fresh };
            if before.trim_end().ends_with(&fresh) {
                same = &fresh;
            }
            text.insert_str(end, block);
        }
        Value::Array(parts) if placement.adds_block => {
            let added = json!({ "type": "text", "text": part });
            let before = case["content"].as_array().expect("parts");
            if before.last() == Some(&added) {
                same = &part;
            }
            parts.push(added);
        }
        _ => {}
    }
    assert_eq!(result, case["result"], "{name}");
    if let Some(change) = case.get("change") {
        let told = json!({
            "blocks": placement.blocks_removed - u32::from(!same.is_empty()),
            "characters": placement.characters_removed as usize - same.encode_utf16().count(),
        });
        assert_eq!(told, *change, "{name}");
    } else {
        assert_eq!(placement.blocks_removed, 0, "{name}");
    }
}

fn is_user(message: &Value) -> bool {
    message["role"] == "user"
}

/// The user messages of a history and where they stand.
fn user_messages(messages: &[Value]) -> impl Iterator<Item = (MessagePosition, &Value)> {
    let users = (0..).zip(messages).filter(|(_, message)| is_user(message));
    (0..)
        .zip(users)
        .map(|(user_index, (index, message))| (MessagePosition { index, user_index }, message))
}

fn whole(options: &DedupeOptions, messages: &[Value]) -> (Vec<Value>, Value) {
    let text = json!(messages).to_string();
    let mut room = Vec::new();
    let given = parse(text.as_bytes(), &mut room).expect("JSON");
    let deduped = dedupe_history(given.items(), options.clone()).expect("valid options");
    let messages = deduped.messages.iter().map(|message| message.to_value());
    let report = serde_json::to_value(deduped.report).expect("a report is plain data");
    (messages.collect(), report)
}

fn one_by_one(options: &DedupeOptions, messages: &[Value]) -> Vec<Value> {
    let mut deduper = HistoryDeduper::new(options.clone()).expect("valid options");
    let mut result = messages.to_vec();
    for (position, message) in user_messages(messages) {
        let edits = deduper.push(position, &user_message(message));
        result[position.index as usize] = edited(message, &edits);
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

fn text_of(part: &mut Value) -> Option<(TextPlace, &mut Value)> {
    if part["type"] == "text" {
        Some((TextPlace::TextPart, &mut part["text"]))
    } else if part["type"] == "tool_result" {
        Some((TextPlace::ToolResult, result_text(part)?))
    } else {
        None
    }
}

fn user_message(message: &Value) -> UserMessage<'static> {
    let mut texts = Vec::new();
    let (mut part_count, mut has_other_content) = (1, false);
    match &message["content"] {
        Value::String(text) => return UserMessage::from_text(text),
        Value::Array(content) => {
            part_count = content.len() as u32;
            for (at, part) in (0..).zip(content) {
                match text_of(&mut part.clone()) {
                    Some((place, Value::String(text))) => {
                        texts.push(CandidateText::new(at, place, text));
                    }
                    _ => has_other_content = true,
                }
            }
        }
        _ => {}
    }
    UserMessage {
        texts,
        part_count,
        has_other_content,
    }
}

fn edited(message: &Value, edits: &[PartEdit]) -> Value {
    let mut message = message.clone();
    if edits.is_empty() {
        return message;
    }
    if let Value::String(content) = &message["content"] {
        let [
            PartEdit {
                part: 0,
                change: PartChange::Rewrite { text },
            },
        ] = edits
        else {
            panic!("a string is only ever rewritten: {edits:?}")
        };
        message["content"] = text.pick(content).into();
        return message;
    }
    let content = message["content"].as_array().expect("parts").clone();
    let mut parts: Vec<Option<Value>> = content.iter().cloned().map(Some).collect();
    let mut at_the_end = Vec::new();
    for PartEdit { part, change } in edits {
        let at = *part as usize;
        let part = &content[at];
        match change {
            PartChange::Rewrite { text } => parts[at] = Some(with_text(part, text)),
            PartChange::Remove => parts[at] = None,
            PartChange::MoveToEnd { text } => {
                parts[at] = None;
                let moved = text.as_ref().map(|text| with_text(part, text));
                at_the_end.push(moved.unwrap_or_else(|| part.clone()));
            }
            PartChange::AppendText { text } => {
                let mut part = with_text(part, text);
                let (_, text) = text_of(&mut part).expect("a text was edited");
                at_the_end.push(json!({ "type": "text", "text": text }));
            }
        }
    }
    message["content"] = parts.into_iter().flatten().chain(at_the_end).collect();
    message
}

/// The part with those ranges of its text as its text.
fn with_text(part: &Value, ranges: &TextRanges) -> Value {
    let mut part = part.clone();
    let (_, text) = text_of(&mut part).expect("a text was edited");
    *text = ranges.pick(text.as_str().expect("a text")).into();
    part
}
