use crate::agents::gemini_cli;
use crate::setup::{Hooks, Setup, Surroundings};

const HOOKS: Hooks = Hooks {
    events: &[
        "SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure",
    ],
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
        switches: gemini_cli::setup::switches(&folder, &project),
        ..Setup::hooked("qwen-code", [folder.join("settings.json")], project, &HOOKS)
    }
    .found_by(folder)
}
