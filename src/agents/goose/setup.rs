use serde_json::json;

use crate::watch::Mode;
use crate::watch::setup::{Change, Scope, Setup, Surroundings, Versions, Wanted, json_text};

pub(super) fn setup(around: &Surroundings) -> Setup {
    let plugin = around.home(".agents/plugins/turnkeeper");
    let changes = vec![
        Change::own(plugin.join("plugin.json"), manifest),
        Change::own(plugin.join("hooks").join("hooks.json"), hooks),
    ];
    Setup {
        signs: vec![around.config("goose")],
        command: Some("goose"),
        versions: Versions {
            commands: &["goose"],
            ..Versions::default()
        },
        user: Scope {
            changes,
            ..Scope::default()
        },
        note: Some("goose ignores what its hooks answer, so there they only watch."),
        ..Setup::default()
    }
}

fn manifest(wanted: &Wanted) -> String {
    let version = wanted.version;
    let description = "Logs repeated calls.";
    json_text(&json!({ "name": "turnkeeper", "version": version, "description": description }))
}

fn hooks(wanted: &Wanted) -> String {
    let line = Wanted {
        mode: Mode::Watch,
        ..*wanted
    }
    .line("goose");
    let entry = json!([{ "hooks": [{ "type": "command", "command": line, "timeout": 10 }] }]);
    json_text(&json!({ "hooks": { "UserPromptSubmit": entry.clone(), "PreToolUse": entry } }))
}
