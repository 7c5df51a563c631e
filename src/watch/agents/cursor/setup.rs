use crate::setup::{Hooks, Setup, Surroundings};

const HOOKS: Hooks = Hooks {
    events: &["beforeSubmitPrompt", "postToolUse"],
    in_stop: Some("preToolUse"),
    version: Some(1),
    ..Hooks::NONE
};

pub(super) fn setup(around: &Surroundings) -> Setup {
    let folder = around.home(".cursor");
    let project = around.here(".cursor/hooks.json");
    Setup::hooked("cursor", [folder.join("hooks.json")], project, &HOOKS).found_by(folder)
}
