//! The sessions of `tests/fixtures/saved` against what they say.

use std::fs;

use serde_json::Value;

use super::testing::told;
use super::{ANYWHERE, LINES};
use turnkeeper_base::json::parse;

#[test]
fn the_fixtures_of_lines_say_what_they_said() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/");
    let expected = fs::read_to_string(format!("{folder}saved-events.json")).expect("a fixture");
    let expected: Value = serde_json::from_str(&expected).expect("JSON");
    for file in [
        "claude-code.jsonl",
        "claude-stream.jsonl",
        "codex-rollout.jsonl",
        "codex-rollout-2025.jsonl",
        "gemini-cli-session.jsonl",
        "gemini-stream.jsonl",
        "kimi.jsonl",
        "pi.jsonl",
        "pi-1.jsonl",
        "qwen-code.jsonl",
    ] {
        let text = fs::read_to_string(format!("{folder}saved/{file}")).expect("a fixture");
        let lines: Vec<&str> = text.lines().collect();
        let known = ANYWHERE.iter().chain(LINES);
        let known = lines.iter().find_map(|line| {
            let mut room = Vec::new();
            let value = parse(line.as_bytes(), &mut room).expect("JSON");
            known.clone().find(|it| (it.is_of)(&value))
        });
        let mut reader = (known.expect("a format").reader)();
        let told = told(&mut *reader, &lines);
        let expected = &expected[file];
        assert_eq!(expected["format"], reader.format().name(), "{file}");
        assert_eq!(expected["events"], Value::from(told.events), "{file}");
        let text = |name: &str| expected[name].as_str().map(str::to_owned);
        assert_eq!(
            (told.title, told.model),
            (text("title"), text("model")),
            "{file}"
        );
        assert!(told.problems.is_empty(), "{file}: {:?}", told.problems);
    }
}
