use std::path::PathBuf;

use crate::setup::{Hooks, Setup, Surroundings, is_true};

const HOOKS: Hooks = Hooks {
    events: &["SessionStart", "UserPromptSubmit", "PostToolBatch"],
    in_economy: Some("PostToolUse"),
    is_nested: true,
    timeout: Some(10),
    ..Hooks::NONE
};

pub(super) fn setup(around: &Surroundings) -> Setup {
    let folders: Vec<PathBuf> = match around.value("CLAUDE_CONFIG_DIR") {
        Some(named) => {
            let names = named.split(',').map(str::trim).filter(|it| !it.is_empty());
            names.map(|it| around.here.join(it)).collect()
        }
        None => vec![around.home(".claude")],
    };
    let users: Vec<PathBuf> = folders.iter().map(|it| it.join("settings.json")).collect();
    let personal = around.here(".claude/settings.local.json");
    let shared = around.here(".claude/settings.json");
    let read = users.iter().chain([&shared, &personal]);
    let switches = read
        .map(|file| is_true(file.clone(), &["disableAllHooks"]))
        .collect();
    let mut setup = Setup::hooked("claude-code", users, personal, &HOOKS);
    setup.project.formerly.push(shared);
    Setup {
        signs: folders,
        command: Some("claude"),
        replaces_results: true,
        is_personal: true,
        switches,
        ..setup
    }
}
