use std::path::{Path, PathBuf};

use serde_json::Value;

use super::dialect::SUBAGENTS;
use crate::watch::setup::{
    Files, HookEvent, Hooks, Setup, Surroundings, Switch, Version, Versions, event, is_false,
    is_listed, is_true,
};

const EVENTS: &[HookEvent] = &[
    event("BeforeAgent"),
    event("PreCompress"),
    event("BeforeTool"),
    event("AfterTool"),
];

const HOOKS: Hooks = Hooks {
    events: EVENTS,
    only_for: Some(("BeforeTool", SUBAGENTS)),
    is_nested: true,
    has_matcher: true,
    timeout: Some(10_000),
    ..Hooks::NONE
};

pub(super) fn setup(around: &Surroundings) -> Setup {
    let folder = around
        .named("GEMINI_CLI_HOME", around.home.into())
        .join(".gemini");
    let project = around.here(".gemini/settings.json");
    Setup {
        command: Some("gemini"),
        versions: Versions {
            commands: &["gemini"],
            packages: &["@google/gemini-cli"],
            // Before, hooks ran only where a setting said so.
            since: Version(0, 26, 0),
            ..Versions::default()
        },
        switches: switches(&folder, &project),
        note: Some(
            "gemini-cli has a loop detection of its own; model.disableLoopDetection in its settings switches that off.",
        ),
        ..Setup::hooked([folder.join("settings.json")], project, &HOOKS)
    }
    .found_by(folder)
}

/// The switches of gemini-cli, and of Qwen Code, in the user's settings and in the project's.
pub(crate) fn switches(folder: &Path, project: &Path) -> Vec<Switch> {
    let users = folder.join("settings.json");
    let mut switches: Vec<Switch> = [users.as_path(), project]
        .into_iter()
        .flat_map(|file| {
            [
                is_true(file.into(), &["disableAllHooks"]),
                is_false(file.into(), &["hooksConfig", "enabled"]),
                is_listed(file.into(), &["hooksConfig", "disabled"], "turnkeeper"),
            ]
        })
        .collect();
    // In the home folder the user's own file has the name of a project's.
    if users != project {
        switches.push(is_untrusted(folder.into(), project.into()));
    }
    switches
}

/// No hooks run in a folder that was not trusted, or of which nobody was asked.
fn is_untrusted(folder: PathBuf, hooks: PathBuf) -> Switch {
    Box::new(move |files: &dyn Files| {
        if !files.has_ours(&hooks) {
            return None;
        }
        let asks = ["security", "folderTrust", "enabled"];
        let is_asked = files.value(&folder.join("settings.json"), &asks) == Some(Value::Bool(true));
        let told = files
            .value(&folder.join("trustedFolders.json"), &[])
            .unwrap_or_default();
        let told = told.as_object();
        let mut rules = told
            .into_iter()
            .flatten()
            .filter(|(name, _)| hooks.starts_with(name));
        let is_denied = rules.clone().any(|(_, rule)| rule == "DO_NOT_TRUST");
        let is_untrusted = is_denied || (is_asked && rules.next().is_none());
        let list = folder.join("trustedFolders.json");
        is_untrusted.then(|| format!("this folder is not trusted: {}", list.display()))
    })
}
