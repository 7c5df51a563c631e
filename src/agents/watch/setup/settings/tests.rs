use std::path::Path;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::agent::Watched;
use crate::watch::Mode;
use crate::watch::setup::{Platform, Surroundings, Version, Wanted};

/// A file with the change of an agent in it.
fn with_agent(name: &str, content: &str) -> String {
    let around = Surroundings {
        home: Path::new("/home/me"),
        here: Path::new("/work"),
        documents: Path::new("/home/me/Documents"),
        is_there: &|_| false,
        platform: Platform::Unix,
        variable: &|_| None,
    };
    let agent = Watched::named(name).expect("an agent");
    let setup = (agent.setup)(&around);
    let wanted = Wanted {
        mode: Mode::Stop,
        economy: true,
        state: Path::new("/state"),
        is_shared: false,
        platform: Platform::Unix,
        version: "1",
        agent_version: Version::NEWEST,
    };
    let change = &setup.user.changes[0];
    let plugin = "/state/bin/turnkeeper-pi.mjs";
    let added = change.added(Some(content), agent.hook, &wanted, plugin);
    added.expect("an object")
}

const FILE: &str = "/home/me/settings.json";

fn taken_out(content: &str) -> String {
    without_ours(FILE.as_ref(), content)
        .expect("readable")
        .expect("a file of others")
}

/// Blanks and comments, as people put them between tokens of a line of its own.
fn gap() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => Just(String::new()),
        1 => Just(" // mine".to_owned()),
        1 => Just(" /* a, { b } */".to_owned()),
        1 => Just("  ".to_owned()),
    ]
}

fn value() -> impl Strategy<Value = String> {
    let plain = prop_oneof![
        Just("1".to_owned()),
        Just("null".to_owned()),
        Just(r#""a \" // b""#.to_owned()),
        Just(r#"{ "x": [1, 2,] }"#.to_owned()),
        Just("[]".to_owned()),
    ];
    plain.boxed()
}

/// Text of an object or a list that has a line for each item, with comments and perhaps a final comma.
fn container(
    items: Vec<(String, String, String)>,
    [open, close]: [&'static str; 2],
    has_final_comma: bool,
    indent: String,
    end: &str,
) -> String {
    let mut text = format!("{open}{end}");
    let count = items.len();
    for (at, (comment, item, gap)) in items.into_iter().enumerate() {
        let comma = if at + 1 < count || has_final_comma {
            ","
        } else {
            ""
        };
        if !comment.is_empty() {
            text.push_str(&format!("{indent}//{comment}{end}"));
        }
        text.push_str(&format!("{indent}{item}{comma}{gap}{end}"));
    }
    text.push_str(&format!("{}{close}", &indent[..indent.len() / 2]));
    text
}

fn lists(indent: &'static str) -> impl Strategy<Value = String> {
    let item = ("[ a-z]{0,3}", value(), gap());
    (
        proptest::collection::vec(item, 1..4),
        any::<bool>(),
        Just(indent),
    )
        .prop_map(|(items, comma, indent)| {
            container(items, ["[", "]"], comma, indent.repeat(6), "\n")
        })
}

/// Settings as people write them, in which every object and list has a line for each item.
fn settings() -> impl Strategy<Value = String> {
    let indents = prop_oneof![Just("\t"), Just("  "), Just("    ")];
    (indents, any::<bool>(), "[ -~]{0,4}\n?").prop_flat_map(|(indent, is_windows, start)| {
        let start = start.replace(['\n', '/', '*'], "");
        let events = ("[ a-z]{0,3}", lists(indent), gap());
        let own = ("[ a-z]{0,3}", value(), gap());
        (
            proptest::collection::vec(events, 1..4),
            proptest::collection::vec(own, 0..3),
            any::<[bool; 3]>(),
        )
            .prop_map(move |(events, own, [comma, outer_comma, has_hooks])| {
                let names = ["PreToolUse", "PostToolBatch", "Stop"];
                let events = events
                    .into_iter()
                    .zip(names)
                    .map(|((comment, list, gap), name)| {
                        (comment, format!("\"{name}\": {list}"), gap)
                    });
                let hooks = container(events.collect(), ["{", "}"], comma, indent.repeat(4), "\n");
                let mut items: Vec<_> = own
                    .into_iter()
                    .enumerate()
                    .map(|(at, (comment, value, gap))| {
                        (comment, format!("\"own {at}\":{value}"), gap)
                    })
                    .collect();
                if has_hooks || items.is_empty() {
                    let at = items.len() / 2;
                    items.insert(
                        at,
                        (String::new(), format!("\"hooks\": {hooks}"), String::new()),
                    );
                }
                let text = container(items, ["{", "}"], outer_comma, indent.repeat(2), "\n");
                let text = format!("// {start}\n{text}\n");
                if is_windows {
                    text.replace('\n', "\r\n")
                } else {
                    text
                }
            })
    })
}

proptest! {
    #[test]
    fn what_is_added_is_taken_out_to_the_byte(content in settings()) {
        for agent in ["claude-code", "qwen-code", "pi"] {
            let with = with_agent(agent, &content);
            prop_assert_ne!(&with, &content);
            prop_assert!(!ours_in(FILE.as_ref(), &with).expect("readable").is_empty());
            prop_assert_eq!(taken_out(&with), &content[..], "{}", with);
        }
    }

    /// An object or a list without lines of its own gets some; nothing else changes.
    #[test]
    fn whatever_the_layout_no_token_and_no_comment_is_lost(
        content in settings(),
        seed in any::<u64>(),
    ) {
        let content = relaid(&content, seed);
        let with = with_agent("claude-code", &content);
        prop_assert_eq!(tokens(&taken_out(&with)), tokens(&content), "{}", with);
    }

    #[test]
    fn any_text_is_refused_or_valid_afterwards(content in r#"\{[{}\[\],:"a1/* \n]{0,12}\}|\{("[a-c]":(1|\[1?\]|\{\}|\{"a":(1|\{\})\}),[ \n]){0,4}\}"#) {
        let Ok(mut text) = JsonText::read(&content) else { return Ok(()) };
        let before = text.to_string();
        match text.append(&["a"], &json!("x")) {
            Ok(()) => {
                let text = JsonText::read(&text.to_string()).expect("still an object");
                let list = text.list(&["a"]).expect("a list");
                prop_assert_eq!(list.last(), Some(&json!("x")));
            }
            Err(_) => prop_assert_eq!(&text.to_string(), &before),
        }
        let before = text.to_string();
        match text.set(&["b", "a", "c"], &json!(1)) {
            Ok(()) => {
                let text = JsonText::read(&text.to_string()).expect("still an object");
                prop_assert_eq!(text.get(&keys(&["b", "a", "c"])), Some(json!(1)));
            }
            Err(_) => prop_assert_eq!(&text.to_string(), &before),
        }
    }
}

/// The text with some of its line ends gone, where no comment needs them.
fn relaid(content: &str, mut seed: u64) -> String {
    let mut text = String::new();
    for line in content.split_inclusive('\n') {
        seed = seed.rotate_left(7).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        if line.contains("//") || seed.is_multiple_of(2) {
            text.push_str(line);
        } else {
            text.push_str(line.trim_end());
        }
    }
    text
}

/// A text without its blanks; a final comma is none of ours, so it counts.
fn tokens(content: &str) -> String {
    content.split_whitespace().collect()
}

#[test]
fn a_short_object_gets_lines() {
    let with = with_agent("pi", r#"{"theme": "dark"}"#);
    let expected =
        "{\"theme\": \"dark\",\n  \"extensions\": [\n    \"/state/bin/turnkeeper-pi.mjs\"\n  ]\n}";
    assert_eq!(with, expected);
    assert_eq!(taken_out(&with), "{\"theme\": \"dark\"\n}");
}

#[test]
fn comments_keep_their_lines_and_their_places() {
    let content = "{\n  \"a\": 1, // one\n  \"b\": 2 /* two */ // and more\n  // the end\n}\n";
    let with = with_agent("pi", content);
    assert!(
        with.contains("\"a\": 1, // one\n  \"b\": 2, /* two */ // and more\n  \"extensions\": [")
    );
    assert!(with.contains("]\n  // the end\n}\n"));
    assert_eq!(taken_out(&with), content);
}

#[test]
fn items_of_others_beside_ours_stay() {
    let content = r#"{ "extensions": ["a", "/s/bin/turnkeeper-pi.mjs", ["file:///x/package/dist/opencode.mjs", {}], "b"] }"#;
    assert_eq!(taken_out(content), r#"{ "extensions": ["a", "b"] }"#);
    let value: Value = serde_json::from_str(&taken_out(content)).expect("JSON");
    assert_eq!(value, json!({ "extensions": ["a", "b"] }));
}

#[test]
fn what_others_have_in_a_script_or_in_a_folder_of_our_name_stays() {
    let line = "/bin/sh -c '\"$0\" \"$@\"' /state/bin/turnkeeper hook cline --mode hint";
    let script = |content: &str| without_ours(FILE.as_ref(), content).expect("readable");
    assert_eq!(script(&format!("#!/bin/sh\n{line}\n")), None);
    let left = script(&format!("#!/bin/sh\nlint\n{line}\n"));
    assert_eq!(left.as_deref(), Some("#!/bin/sh\nlint\n"));
    let settings = format!(
        r#"{{"theme": 1, "hooks": {{"Stop": [{{"command": {}}}]}}}}"#,
        json!(line)
    );
    let inside = |file: &str| without_ours(file.as_ref(), &settings).expect("readable");
    assert_eq!(
        inside("/home/me/turnkeeper/.codex/hooks.json").as_deref(),
        Some(r#"{"theme": 1}"#)
    );
    assert_eq!(inside("/home/me/.copilot/hooks/turnkeeper.json"), None);
    assert_eq!(
        inside("/home/me/.agents/plugins/turnkeeper/hooks/hooks.json"),
        None
    );
}
