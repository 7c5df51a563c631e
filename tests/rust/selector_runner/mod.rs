//! Runs the cases of `tests/data/terminal-selector/`; see `tests/data/README.md`.

use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use turnkeeper_core::terminal_selector::{PathRules, TerminalChoice, TerminalRequest};
use turnkeeper_core::{
    Error, PathPlatform, PathRelation, TerminalSelector, TerminalSelectorOptions, path_relation,
};

use super::recorded::{Trace, digest};

const FILES: [(&str, &str); 9] = [
    (
        "paths",
        include_str!("../../data/terminal-selector/paths.json"),
    ),
    (
        "choice",
        include_str!("../../data/terminal-selector/choice.json"),
    ),
    (
        "life",
        include_str!("../../data/terminal-selector/life.json"),
    ),
    (
        "directories",
        include_str!("../../data/terminal-selector/directories.json"),
    ),
    (
        "limit",
        include_str!("../../data/terminal-selector/limit.json"),
    ),
    (
        "own-changes",
        include_str!("../../data/terminal-selector/own-changes.json"),
    ),
    (
        "displaced",
        include_str!("../../data/terminal-selector/displaced.json"),
    ),
    (
        "named",
        include_str!("../../data/terminal-selector/named.json"),
    ),
    (
        "sync",
        include_str!("../../data/terminal-selector/sync.json"),
    ),
];

/// Every case of a file, by the file's name, and what each leaves behind; nothing, if it is about paths.
pub fn run(file: &str) -> Vec<Trace> {
    let (_, text) = FILES
        .iter()
        .find(|(name, _)| *name == file)
        .expect("a known file");
    let cases: Vec<Value> = serde_json::from_str(text).expect("fixtures are JSON");
    assert!(!cases.is_empty());
    let mut traces = Vec::new();
    for case in &cases {
        let name = case["name"].as_str().expect("a case has a name");
        match case.get("events") {
            Some(events) => {
                let trace = digest(&run_events(case, events, name));
                let name = format!("terminal-selector/{file}: {name}");
                traces.push(Trace { name, trace });
            }
            None => run_paths(case, name),
        }
    }
    traces
}

/// The names of all files, so that none is forgotten.
pub fn files() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(name, _)| *name)
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text<'a>(value: &'a Value, field: &str) -> Option<&'a str> {
    value.get(field).map(|it| it.as_str().expect("a string"))
}

fn run_paths(case: &Value, name: &str) {
    let platform = match text(case, "platform") {
        Some("posix") => PathPlatform::Posix,
        Some("win32") => PathPlatform::Win32,
        _ => panic!("{name}: which platform?"),
    };
    let mut rules = PathRules::new(platform);
    if let Some(case_sensitive) = case.get("caseSensitive").and_then(Value::as_bool) {
        rules.case_sensitive = case_sensitive;
    }
    for row in list(&case["relations"]) {
        let [a, b, expected] = [0, 1, 2].map(|at| row[at].as_str().expect("three strings"));
        let got = path_relation(a, b, rules).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(json!(got), expected, "{name}: {row}");
        let mirrored = match got {
            PathRelation::Parent => PathRelation::Child,
            PathRelation::Child => PathRelation::Parent,
            other => other,
        };
        assert_eq!(path_relation(b, a, rules), Ok(mirrored), "{name}: {row}");
    }
    let whole = match platform {
        PathPlatform::Posix => "/x",
        PathPlatform::Win32 => r"C:\x",
    };
    for path in list(&case["refused"]) {
        let path = path.as_str().expect("a path");
        let refused = |error: Option<Error>, field: &str| {
            let error = error.unwrap_or_else(|| panic!("{name}: {path:?} is taken"));
            let got = json!([error.code(), error.field()]);
            assert_eq!(got, json!(["invalid_argument", field]), "{name}: {path:?}");
        };
        refused(path_relation(path, whole, rules).err(), "a");
        refused(path_relation(whole, path, rules).err(), "b");
    }
}

/// Runs a case; the snapshot of the selector at the end.
fn run_events(case: &Value, events: &Value, name: &str) -> Vec<u8> {
    let options = TerminalSelectorOptions::from_json(&case["options"].to_string()).expect(name);
    let mut selector = TerminalSelector::new(options).expect("valid");
    for (at, event) in list(events).enumerate() {
        let place = format!("{name}, event {at}");
        let outcome = run_event(&mut selector, event, &place);
        let error = outcome.err();
        let code = error.as_ref().map(|error| json!(error.code()));
        assert_eq!(code.as_ref(), event.get("error"), "{place}: {event}");
        if let Some(field) = text(event, "field") {
            let error = error.expect("has a code");
            assert_eq!(error.field(), Some(field), "{place}: {event}");
        }
    }
    selector.snapshot()
}

fn run_event(selector: &mut TerminalSelector, event: &Value, place: &str) -> Result<(), Error> {
    let number = |value: &Value| value.as_u64().expect("an id");
    let (verb, given) = event
        .as_object()
        .and_then(|event| {
            event
                .iter()
                .find(|(verb, _)| VERBS.contains(&verb.as_str()))
        })
        .unwrap_or_else(|| panic!("{place}: unknown event {event}"));
    match verb.as_str() {
        "register" => selector.register(&read(given, json!({"provider": "vscode"}))),
        "sync" => {
            let usual = || json!({"provider": "vscode"});
            let terminals: Vec<_> = list(given).map(|it| read(it, usual())).collect();
            let told = selector.sync(&terminals)?;
            let fields: Vec<_> = told.iter().map(|it| &it.field).collect();
            let expected = event.get("told").cloned().unwrap_or_else(|| json!([]));
            assert_eq!(json!(fields), expected, "{place}");
            Ok(())
        }
        "update" => selector.update(number(&given["id"]), &read(given, json!({}))),
        "select" => {
            let usual = json!({"provider": "vscode", "command": "make"});
            let request: TerminalRequest = read(given, usual);
            let choice = selector.select(&request)?;
            assert_eq!(selector.log().next_back(), Some(&choice), "{place}");
            let command = request.command.as_deref().unwrap_or_default();
            expect_choice(&choice, &event["choice"], command, place);
            Ok(())
        }
        "cancel" => selector.cancel(number(given)),
        "releaseTask" => selector.release_task(given.as_str().expect("a task")),
        "terminals" => {
            let got = json!(selector.terminals());
            assert_eq!(list(&got).count(), list(given).count(), "{place}: {got}");
            for (got, expected) in list(&got).zip(list(given)) {
                for (field, expected) in expected.as_object().expect("a terminal") {
                    let value = got.get(field).unwrap_or(&Value::Null);
                    assert_eq!(value, expected, "{place}: {field} of {got}");
                }
            }
            Ok(())
        }
        "snapshot" => {
            let restored = TerminalSelector::restore(&selector.snapshot())?;
            assert_eq!(restored.snapshot(), selector.snapshot(), "{place}");
            assert_eq!(restored.terminals(), selector.terminals(), "{place}");
            *selector = restored;
            assert_eq!(selector.log().len(), 0, "{place}");
            Ok(())
        }
        "stand" => {
            let (id, directory) = (number(&event["terminal"]), text(event, "in"));
            let directory = directory.expect("a directory");
            for _ in 0..number(given) {
                let choice = selector.select(&TerminalRequest::new("make", directory, "vscode"))?;
                let is_there = matches!(choice, TerminalChoice::Reuse { terminal_id, .. } if terminal_id == id);
                assert!(is_there, "{place}: {choice:?}");
                selector.update(id, &read(&json!({"busy": false}), json!({})))?;
            }
            Ok(())
        }
        "flood" => {
            for at in 0..given.as_u64().expect("a number") {
                let (task, directory) = (format!("task {at}"), format!("/flood/{at}"));
                let choice = selector.select(&TerminalRequest {
                    task_id: Some(task),
                    ..TerminalRequest::new("make", directory, "nobody")
                })?;
                let is_created = matches!(choice, TerminalChoice::Create { .. });
                assert!(is_created, "{place}: {choice:?}");
            }
            Ok(())
        }
        verb => panic!("{place}: {verb} is not run"),
    }
}

const VERBS: [&str; 10] = [
    "flood", "stand", "register", "sync", "update", "select", "cancel", "releaseTask", "terminals",
    "snapshot",
];

/// What an event tells, with the `usual` fields where it leaves them out.
fn read<T: DeserializeOwned>(given: &Value, usual: Value) -> T {
    let mut fields = usual;
    let more = given.as_object().expect("an object").clone();
    fields.as_object_mut().expect("an object").extend(more);
    serde_json::from_value(fields).expect("fields as they cross from JavaScript")
}

/// The fields that are named are equal, and there are those that belong to the action.
fn expect_choice(choice: &TerminalChoice, expected: &Value, command: &str, place: &str) {
    let got = json!(choice);
    for (field, expected) in expected.as_object().expect("a select has its choice") {
        let got = got.get(field).unwrap_or(&Value::Null);
        assert_eq!(got, expected, "{place}: {field} of {choice:?}");
    }
    let (more, is_led): (&[&str], bool) = match choice {
        TerminalChoice::Create { .. } => (&["workingDirectory"], false),
        TerminalChoice::Wait { .. } => (&["waitFor"], false),
        TerminalChoice::Reuse { .. } => (&OF_A_TERMINAL, false),
        TerminalChoice::ReuseWithCd { .. } => (&OF_A_TERMINAL, true),
    };
    let close: &[&str] = if choice.close().is_empty() {
        &[]
    } else {
        &["close"]
    };
    let fields = match choice {
        // A new terminal's directory follows what is closed for it.
        TerminalChoice::Create { .. } => {
            [&["action"], close, more, &["command", "reason"]].concat()
        }
        _ => [&["action"], more, close, &["command", "reason"]].concat(),
    };
    let names: Vec<&String> = got.as_object().expect("a choice").keys().collect();
    assert_eq!(names, fields, "{place}: {got}");
    if expected.get("command").is_none() {
        assert_eq!(choice.command() != command, is_led, "{place}: {got}");
    }
}

/// The fields that a choice has if it is of a terminal that is there.
const OF_A_TERMINAL: [&str; 5] = ["terminalId", "tier", "relation", "directory", "changesLeft"];
