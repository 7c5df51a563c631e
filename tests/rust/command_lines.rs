//! The lines of `tests/data/command-lines/`, and what is refused; see its description.

use serde_json::Value;
use turnkeeper_core::terminal_selector::{
    Shell, TerminalChoice, TerminalRegistration, TerminalRequest,
};
use turnkeeper_core::{PathPlatform, TerminalSelector, TerminalSelectorOptions};

#[test]
fn posix_shells() {
    run(include_str!("../data/command-lines/posix-shells.json"));
}

#[test]
fn powershell() {
    run(include_str!("../data/command-lines/powershell.json"));
}

#[test]
fn cmd() {
    run(include_str!("../data/command-lines/cmd.json"));
}

#[test]
fn nu() {
    run(include_str!("../data/command-lines/nu.json"));
}

fn run(cases: &str) {
    let cases: Vec<Value> = serde_json::from_str(cases).expect("fixtures are JSON");
    assert!(!cases.is_empty());
    for case in &cases {
        for shell in list(case, "shells") {
            for row in list(case, "lines") {
                check(case, text(shell), row, Some(text(&row[2])));
            }
            for row in list(case, "refused") {
                check(case, text(shell), row, None);
            }
        }
    }
}

fn check(case: &Value, shell: &str, row: &Value, line: Option<&str>) {
    let (directory, command) = (text(&row[0]), text(&row[1]));
    let got = line_for(case["platform"] == "win32", shell, directory, command);
    assert_eq!(got.as_deref(), line, "{}, {shell}: {row}", case["name"]);
}

/// The line that leads a terminal into the directory from the root above it.
fn line_for(is_windows: bool, shell: &str, directory: &str, command: &str) -> Option<String> {
    let (platform, root) = match (is_windows, directory.get(..3)) {
        (true, Some(r"\\s")) => (PathPlatform::Win32, r"\\server\share"),
        (true, Some(r"\\?")) => (PathPlatform::Win32, r"\\?\C:\"),
        (true, Some(drive)) => (PathPlatform::Win32, drive),
        _ => (PathPlatform::Posix, "/"),
    };
    let shell: Shell = serde_json::from_value(shell.into()).expect("a shell");
    let mut selector =
        TerminalSelector::new(TerminalSelectorOptions::new(platform)).expect("valid");
    let terminal = TerminalRegistration {
        shell: Some(shell.into()),
        working_directory: Some(root.to_owned()),
        ..TerminalRegistration::new(1, "vscode")
    };
    selector.register(&terminal).expect("it is registered");
    let request = TerminalRequest::new(command, directory, "vscode");
    let choice = selector.select(&request).expect("it is chosen");
    match choice {
        TerminalChoice::ReuseWithCd { command, .. } => Some(command),
        _ => None,
    }
}

fn list<'a>(case: &'a Value, field: &str) -> &'a [Value] {
    case.get(field)
        .map_or(&[], |list| list.as_array().expect("a list"))
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}
