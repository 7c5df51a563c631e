//! The sessions of `tests/data/saved` against what `saved-events.json` says of them.

use std::collections::HashSet;
use std::fs;
use std::sync::LazyLock;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};
use turnkeeper_agents::sessions::{Format, Piece, SessionReader};
use turnkeeper_base::json::{Json, written};
use turnkeeper_messages::Event;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/");

/// The contents of a file, as the fixtures have them.
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

/// A file's name, and its bytes.
type File = (String, Vec<u8>);

fn files() -> &'static [File] {
    static FILES: LazyLock<Vec<File>> = LazyLock::new(|| {
        let files = fs::read_dir(format!("{FOLDER}saved")).expect("a folder");
        let mut files: Vec<File> = files
            .map(|file| {
                let file = file.expect("a file");
                let name = file.file_name().to_string_lossy().into_owned();
                (name, fs::read(file.path()).expect("a file"))
            })
            .collect();
        files.sort();
        files
    });
    &FILES
}

/// Values that stand where others are expected.
const VALUES: &[&str] = &[
    "null", "true", "0", "-1.5", "1e400", "\"\"", "\"x\"", "\"\\ud83d\"", "[]", "{}", "[[1],null]",
    "{\"text\":\"t\"}", "\"{\\\"a\\\":1}\"",
];

proptest! {
    #[test]
    fn whatever_is_damaged_all_bytes_come_back_in_their_order(
        file in any::<Index>(),
        damages in vec((any::<Index>(), any::<Index>(), any::<Index>(), 0..4_u8), 1..4),
        chunk in 1..5_000_usize,
    ) {
        let (name, bytes) = file.get(files());
        let mut bytes = bytes.clone();
        for (at, other, value, kind) in damages {
            let (at, other) = (at.index(bytes.len()), other.index(bytes.len()));
            let (start, end) = (at.min(other), at.max(other).min(at.min(other) + 300));
            let piece = bytes[start..end].to_vec();
            match kind {
                0 => drop(bytes.splice(start..end, [])),
                1 => drop(bytes.splice(end..end, piece)),
                // A value of another type, after a colon.
                2 => {
                    let colon = bytes[start..].iter().position(|byte| *byte == b':');
                    let place = colon.map_or(start, |colon| start + colon + 1);
                    let end = bytes[place..].iter().position(|byte| matches!(byte, b',' | b'}'));
                    let end = place + end.unwrap_or_default();
                    drop(bytes.splice(place..end, value.get(VALUES).bytes()));
                }
                _ => bytes.truncate(end),
            }
            bytes.push(b'\n');
        }
        let mut seen = Vec::new();
        let mut take = |piece: &Piece| seen.extend_from_slice(piece.bytes);
        let mut reader = SessionReader::new(name);
        let mut chunks = bytes.chunks(chunk);
        let pushed = chunks.try_for_each(|chunk| reader.push(chunk, &mut take));
        if pushed.and_then(|()| reader.end(&mut take)).is_ok() {
            prop_assert_eq!(seen, bytes);
        }
    }
}
