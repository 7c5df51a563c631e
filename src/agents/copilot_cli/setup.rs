use std::path::PathBuf;

use serde_json::{Map, json};

use crate::watch::setup::{
    Change, HookEvent, Scope, Setup, Surroundings, Version, Versions, Wanted, event, is_true,
    json_text, names,
};

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
pub(crate) fn both(around: &Surroundings) -> Setup {
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
        replaces_results: Some(Version::FIRST),
        versions: Versions {
            commands: &["copilot"],
            packages: &["@github/copilot"],
            // Before, no answer reached the model.
            since: Version(1, 0, 10),
            ..Versions::default()
        },
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
const EVENTS: &[HookEvent] = &[
    event("UserPromptSubmit"),
    event("PostToolUse"),
    event("PostToolUseFailure").since(Version(1, 0, 20)),
    event("PreToolUse").unless_watching(),
];

fn content(wanted: &Wanted) -> String {
    let entry = json!([{
        "type": "command",
        "bash": wanted.line("copilot-cli"),
        "powershell": wanted.powershell_line("copilot-cli"),
        "timeoutSec": 10,
    }]);
    let hooks: Map<_, _> = names(EVENTS, wanted)
        .into_iter()
        .map(|event| (event.to_owned(), entry.clone()))
        .collect();
    json_text(&json!({ "version": 1, "hooks": hooks }))
}
