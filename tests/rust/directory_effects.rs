//! Where commands leave a shell, by the rows of `tests/data/directory-effects/`; see its
//! description.

use serde_json::Value;
use turnkeeper_core::terminal_selector::{
    DirectoryCertainty, TerminalChange, TerminalRegistration, TerminalRequest, TerminalShell,
};
use turnkeeper_core::{PathPlatform, TerminalSelector, TerminalSelectorOptions};

#[test]
fn posix_shells() {
    run(include_str!("../data/directory-effects/posix-shells.json"));
}

#[test]
fn fish() {
    run(include_str!("../data/directory-effects/fish.json"));
}

#[test]
fn powershell() {
    run(include_str!("../data/directory-effects/powershell.json"));
}

#[test]
fn cmd() {
    run(include_str!("../data/directory-effects/cmd.json"));
}

#[test]
fn nu() {
    run(include_str!("../data/directory-effects/nu.json"));
}

fn run(cases: &str) {
    let cases: Vec<Value> = serde_json::from_str(cases).expect("fixtures are JSON");
    let mut wrong = Vec::new();
    for case in &cases {
        for shell in list(&case["shells"]) {
            for row in list(&case["rows"]) {
                let got = effect(case["platform"] == "win32", text(shell), text(&row[0]));
                if got != text(&row[1]) {
                    wrong.push(format!("{}, {shell}: {row}, not {got}", case["name"]));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Where a terminal is after the command, which nobody reported: `stays`, `uncertain`, or the
/// directory that is expected.
fn effect(is_windows: bool, shell: &str, command: &str) -> String {
    let (platform, directory) = match is_windows {
        true => (PathPlatform::Win32, r"C:\project"),
        false => (PathPlatform::Posix, "/project"),
    };
    let mut selector =
        TerminalSelector::new(TerminalSelectorOptions::new(platform)).expect("valid");
    let terminal = TerminalRegistration {
        shell: TerminalShell::named(shell),
        working_directory: Some(directory.to_owned()),
        ..TerminalRegistration::new(1, "vscode")
    };
    selector.register(&terminal).expect("it is new");
    let request = TerminalRequest::new(command, directory, "vscode");
    selector.select(&request).expect("a right request");
    for busy in [true, false] {
        let change = TerminalChange {
            busy: Some(busy),
            ..TerminalChange::default()
        };
        selector.update(1, &change).expect("it is known");
    }
    let [state] = &selector.terminals()[..] else {
        panic!("there is one terminal");
    };
    match state.directory.expect("it was reported once") {
        DirectoryCertainty::Reported => "stays".to_owned(),
        DirectoryCertainty::Expected => state.working_directory.clone().expect("it is known"),
        DirectoryCertainty::Uncertain => "uncertain".to_owned(),
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}
