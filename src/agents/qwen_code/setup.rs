use crate::gemini_cli;
use crate::watch::setup::{HookEvent, Hooks, Setup, Surroundings, Version, Versions, event};

const EVENTS: &[HookEvent] = &[
    event("SessionStart"),
    event("UserPromptSubmit"),
    event("PostToolUse"),
    event("PostToolUseFailure"),
];

const HOOKS: Hooks = Hooks {
    events: EVENTS,
    is_nested: true,
    has_matcher: true,
    timeout: Some(10_000),
    ..Hooks::NONE
};

pub(super) fn setup(around: &Surroundings) -> Setup {
    let folder = around.named("QWEN_HOME", around.home(".qwen"));
    let project = around.here(".qwen/settings.json");
    Setup {
        command: Some("qwen"),
        versions: Versions {
            commands: &["qwen"],
            packages: &["@qwen-code/qwen-code"],
            since: Version(0, 15, 6),
            ..Versions::default()
        },
        switches: gemini_cli::setup::switches(&folder, &project),
        ..Setup::hooked([folder.join("settings.json")], project, &HOOKS)
    }
    .found_by(folder)
}
