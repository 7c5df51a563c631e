use std::path::PathBuf;

use crate::watch::setup::{
    HookEvent, Hooks, Setup, Surroundings, Version, Versions, event, is_true,
};

/// Before this the results come one by one, and no hook replaces one.
const BATCHES: Version = Version(2, 1, 136);

/// Up to 2.1.97 an event that it does not know costs the whole file: deny rules and all.
const EVENTS: &[HookEvent] = &[
    event("SessionStart"),
    event("UserPromptSubmit"),
    event("PostToolBatch").since(BATCHES),
    event("PostToolUse").since(BATCHES).in_economy(),
    event("PostToolUse").before(BATCHES),
    event("PostToolUseFailure")
        .since(Version(2, 0, 57))
        .before(BATCHES),
    // A stop after a failure ends nothing, so the next call is refused.
    event("PreToolUse").before(BATCHES).in_stop(),
];

const HOOKS: Hooks = Hooks {
    events: EVENTS,
    is_nested: true,
    timeout: Some(10),
    ..Hooks::NONE
};

pub(super) fn setup(around: &Surroundings) -> Setup {
    let folders: Vec<PathBuf> = match around.value("CLAUDE_CONFIG_DIR") {
        // A folder may have a comma in its name.
        Some(named) if (around.is_there)(&around.here.join(&named)) => {
            vec![around.here.join(named)]
        }
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
    let mut setup = Setup::hooked(users, personal, &HOOKS);
    setup.project.formerly.push(shared);
    Setup {
        signs: folders,
        command: Some("claude"),
        versions: Versions {
            commands: &["claude"],
            packages: &["@anthropic-ai/claude-code"],
            folders: around.extensions("anthropic.claude-code-*"),
            since: Version(1, 0, 62),
            unknown: Version(2, 0, 55),
        },
        replaces_results: Some(BATCHES),
        is_personal: true,
        switches,
        ..setup
    }
}
