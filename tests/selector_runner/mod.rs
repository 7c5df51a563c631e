//! Runs the cases of `tests/fixtures/terminal-selector/`; see `tests/fixtures/README.md`.

use serde_json::{Value, json};
use turnkeeper_core::terminal_selector::{
    PathRules, TerminalChange, TerminalRegistration, TerminalRequest,
};
use turnkeeper_core::{
    Error, PathPlatform, PathRelation, Shell, TerminalSelector, TerminalSelectorOptions,
    can_change_directory, path_relation,
};

const FILES: [(&str, &str); 3] = [
    (
        "paths",
        include_str!("../fixtures/terminal-selector/paths.json"),
    ),
    (
        "choice",
        include_str!("../fixtures/terminal-selector/choice.json"),
    ),
    (
        "life",
        include_str!("../fixtures/terminal-selector/life.json"),
    ),
];

/// Every case of a file, by the file's name.
pub fn run(file: &str) {
    let (_, text) = FILES
        .iter()
        .find(|(name, _)| *name == file)
        .expect("a known file");
    let cases: Vec<Value> = serde_json::from_str(text).expect("fixtures are JSON");
    assert!(!cases.is_empty());
    for case in &cases {
        let name = case["name"].as_str().expect("a case has a name");
        match case.get("events") {
            Some(events) => run_events(case, events, name),
            None => run_paths(case, name),
        }
    }
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
        let can = Ok(got != PathRelation::Unrelated);
        assert_eq!(can_change_directory(a, b, rules), can, "{name}: {row}");
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
        refused(can_change_directory(path, whole, rules).err(), "from");
        refused(can_change_directory(whole, path, rules).err(), "to");
    }
}

fn run_events(case: &Value, events: &Value, name: &str) {
    let options = TerminalSelectorOptions::from_json(&case["options"].to_string()).expect(name);
    let mut selector = TerminalSelector::new(options);
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
        "register" => selector.register(&TerminalRegistration {
            shell: shell(given),
            working_directory: text(given, "workingDirectory"),
            task_id: text(given, "taskId"),
            busy: given.get("busy") == Some(&json!(true)),
            ..TerminalRegistration::new(number(&given["id"]), provider(given))
        }),
        "update" => {
            let names: Vec<&str> = list(&given["environment"]).map(string).collect();
            let change = TerminalChange {
                closed: given.get("closed").is_some(),
                failed: given.get("failed").is_some(),
                reset: given.get("reset").is_some(),
                environment: &names,
                task_id: given.get("taskId").map(Value::as_str),
                working_directory: text(given, "workingDirectory"),
                busy: given.get("busy").and_then(Value::as_bool),
            };
            selector.update(number(&given["id"]), &change)
        }
        "select" => {
            let request = TerminalRequest {
                task_id: text(given, "taskId"),
                shell: shell(given),
                clean_environment: given.get("cleanEnvironment").is_some(),
                ..TerminalRequest::new(
                    text(given, "command").unwrap_or("make"),
                    text(given, "workingDirectory").expect(place),
                    provider(given),
                )
            };
            let choice = json!(selector.select(&request)?);
            assert_eq!(json!(selector.journal().last()), choice, "{place}");
            expect_choice(&choice, &event["choice"], request.command, place);
            Ok(())
        }
        "cancel" => selector.cancel(number(given)),
        "releaseTask" => {
            selector.release_task(string(given));
            Ok(())
        }
        "terminals" => {
            let got = json!(selector.terminals());
            assert_eq!(list(&got).count(), list(given).count(), "{place}: {got}");
            for (got, expected) in list(&got).zip(list(given)) {
                for (field, expected) in expected.as_object().expect("a terminal") {
                    assert_eq!(got[field], *expected, "{place}: {field} of {got}");
                }
            }
            Ok(())
        }
        "snapshot" => {
            let restored = TerminalSelector::restore(&selector.snapshot())?;
            assert_eq!(restored.snapshot(), selector.snapshot(), "{place}");
            assert_eq!(restored.terminals(), selector.terminals(), "{place}");
            let journal = selector.journal().len();
            *selector = restored;
            assert!(journal == 0 || selector.journal().is_empty(), "{place}");
            Ok(())
        }
        "flood" => {
            for at in 0..given.as_u64().expect("a number") {
                let (task, directory) = (format!("task {at}"), format!("/flood/{at}"));
                let choice = selector.select(&TerminalRequest {
                    task_id: Some(&task),
                    ..TerminalRequest::new("make", &directory, "nobody")
                })?;
                assert_eq!(json!(choice.action), "create", "{place}");
            }
            Ok(())
        }
        verb => panic!("{place}: {verb} is not run"),
    }
}

const VERBS: [&str; 8] = [
    "flood",
    "register",
    "update",
    "select",
    "cancel",
    "releaseTask",
    "terminals",
    "snapshot",
];

fn string(value: &Value) -> &str {
    value.as_str().expect("a string")
}

fn provider(given: &Value) -> &str {
    text(given, "provider").unwrap_or("vscode")
}

fn shell(given: &Value) -> Option<Shell> {
    let wanted = text(given, "shell")?;
    let all = [
        Shell::Bash,
        Shell::Zsh,
        Shell::Sh,
        Shell::Fish,
        Shell::Pwsh,
        Shell::Powershell,
        Shell::Cmd,
        Shell::Nu,
    ];
    let shell = all.into_iter().find(|shell| json!(shell) == wanted);
    Some(shell.expect("a shell"))
}

/// The fields that are named are equal, and there are those that belong to the action.
fn expect_choice(got: &Value, expected: &Value, command: &str, place: &str) {
    for (field, expected) in expected.as_object().expect("a select has its choice") {
        assert_eq!(got[field], *expected, "{place}: {field} of {got}");
    }
    let mut fields = vec!["action"];
    if got["action"] != "create" {
        fields.extend(["terminalId", "tier", "relation", "changesLeft"]);
    }
    fields.extend(["command", "reason"]);
    fields.sort_unstable();
    let mut names: Vec<&String> = got.as_object().expect("a choice").keys().collect();
    names.sort_unstable();
    assert_eq!(names, fields, "{place}: {got}");
    let is_as_given = got["command"] == command;
    let leads = got["action"] == "reuse_with_cd";
    assert_eq!(is_as_given, !leads, "{place}: {got}");
}
