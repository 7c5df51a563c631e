//! The sessions of `tests/fixtures/saved` against what `saved-events.json` says of them.

use std::collections::HashSet;
use std::fs;

use serde_json::{Value, json};
use turnkeeper_base::json::{Json, written};
use turnkeeper_messages::Event;
use turnkeeper_sessions::{Format, Piece, SessionReader};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/");

/// What a file says, as the fixtures have it.
fn told(name: &str, bytes: &[u8]) -> Value {
    let (mut title, mut model) = (Value::Null, Value::Null);
    let mut events = Vec::new();
    let mut keys = HashSet::new();
    let mut take = |piece: &Piece| {
        assert_eq!(piece.problem, None, "{name}");
        if let Some(record) = &piece.record {
            let facts = &record.facts;
            for (known, new) in [(&mut title, &facts.title), (&mut model, &facts.model)] {
                if let Some(new) = new {
                    *known = json!(new);
                }
            }
            let place = record.place;
            let is_new = record.key.is_none_or(|key| keys.insert(key));
            assert!(
                is_new || record.items.is_empty(),
                "{name}: {place} is no copy"
            );
            let items = record.items.iter();
            events.extend(items.map(|item| format!("{} {}", record.place, words(&item.event))));
        }
    };
    let mut reader = SessionReader::new(name);
    reader.push(bytes, &mut take).expect("a session");
    reader.end(&mut take).expect("a session");
    let mut told = json!({ "format": reader.format().map(Format::name), "events": events });
    for (name, fact) in [("title", title), ("model", model)] {
        if fact != Value::Null {
            told[name] = fact;
        }
    }
    told
}

fn words(event: &Event) -> String {
    let value = serde_json::to_value(event).expect("an event");
    let kind = value["type"].as_str().unwrap_or_default();
    let id = value["id"].as_str();
    let id = id.map_or_else(String::new, |id| format!(" #{id}"));
    match event {
        Event::Text { text } | Event::Reasoning { text } => format!("{kind} {text}"),
        Event::ToolCall { name, args, .. } => {
            let args = args.as_deref().map(|args| match args {
                Json::Text(text) => text.to_string(),
                args => written(args),
            });
            format!("{kind}{id} {name} {}", args.unwrap_or_default())
        }
        Event::ToolResult {
            output,
            is_error,
            exit_code,
            ..
        } => {
            let error = is_error.map_or("", |_| " error");
            let exit = exit_code.map_or_else(String::new, |code| format!(" exit {code}"));
            format!("{kind}{id}{error}{exit} {output}")
        }
        Event::PromptStarted {
            prompt_id, model, ..
        } => {
            let model = model
                .as_deref()
                .map_or_else(String::new, |it| format!(" {it}"));
            format!("{kind} {prompt_id}{model}")
        }
        _ => kind.to_owned(),
    }
}

#[test]
fn every_agents_files_say_what_they_said() {
    let expected = fs::read_to_string(format!("{FOLDER}saved-events.json")).expect("a fixture");
    let expected: Value = serde_json::from_str(&expected).expect("JSON");
    let files = expected.as_object().expect("an object");
    for (name, expected) in files {
        let bytes = fs::read(format!("{FOLDER}saved/{name}")).expect("a fixture");
        assert_eq!(told(name, &bytes), *expected, "{name}");
    }
}

#[test]
fn what_only_looks_like_a_session_is_none() {
    for (name, text) in [
        (
            "settings.json",
            r#"{"format":"other","metadata":{},"log_entries":[{"level":"info","text":"x"}]}"#,
        ),
        (
            "facts.jsonl",
            "{\"_type\":\"metadata\"}\n{\"a\":1}\n{\"a\":2}\n",
        ),
        ("parts.json", r#"[{"kind":"request","parts":[{"a":1}]}]"#),
        (
            "history.json",
            r#"{"history":[{"message":"x","contextItems":[]}]}"#,
        ),
        ("runs.json", r#"{"simulations":[{"id":"s","messages":[]}]}"#),
    ] {
        let mut reader = SessionReader::new(name);
        let mut take = |piece: &Piece| assert!(piece.record.is_none(), "{name}");
        let pushed = reader.push(text.as_bytes(), &mut take);
        let end = pushed.and_then(|()| reader.end(&mut take));
        let error = end.expect_err(name);
        assert!(
            error.reason.contains("in no format"),
            "{name}: {}",
            error.reason
        );
    }
}
