use std::path::PathBuf;

use serde_json::{Map, json};

use crate::Mode;
use crate::setup::{Change, Scope, Setup, Surroundings, Wanted, is_true, json_text};

pub(super) fn setup(around: &Surroundings) -> Setup {
    Setup {
        command: Some("copilot"),
        ..both(around)
    }
    .found_by(folder(around))
}

fn folder(around: &Surroundings) -> PathBuf {
    around.named("COPILOT_HOME", around.home(".copilot"))
}

/// The setup of Copilot CLI and of Copilot in VS Code, which read the same file.
pub(in crate::agents) fn both(around: &Surroundings) -> Setup {
    let folder = folder(around);
    let scope = |folder: PathBuf| Scope {
        changes: vec![Change::own(
            folder.join("hooks").join("turnkeeper.json"),
            content,
        )],
        ..Scope::default()
    };
    let settings = ["config.json", "settings.json"].map(|name| folder.join(name));
    Setup {
        hook: "copilot-cli",
        replaces_results: true,
        switches: settings
            .map(|file| is_true(file, &["disableAllHooks"]))
            .into(),
        user: scope(folder),
        project: scope(around.here(".github")),
        note: Some("Copilot in VS Code and Copilot CLI read the same file."),
        ..Setup::default()
    }
}

/// Keys in Pascal case, which both of its readers understand.
const EVENTS: &[&str] = &["UserPromptSubmit", "PostToolUse", "PostToolUseFailure"];

fn content(wanted: &Wanted) -> String {
    let entry = json!([{
        "type": "command",
        "bash": wanted.line("copilot-cli"),
        "powershell": wanted.powershell_line("copilot-cli"),
        "timeoutSec": 10,
    }]);
    let asked = (wanted.mode != Mode::Watch).then_some("PreToolUse");
    let events = EVENTS.iter().copied().chain(asked);
    let hooks: Map<_, _> = events
        .map(|event| (event.to_owned(), entry.clone()))
        .collect();
    json_text(&json!({ "version": 1, "hooks": hooks }))
}
