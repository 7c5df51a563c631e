use crate::watch::setup::{Hooks, Setup, Surroundings, Versions, event};

const HOOKS: Hooks = Hooks {
    events: &[event("PreToolUse")],
    timeout: Some(10),
    ..Hooks::NONE
};

pub(super) fn setup(around: &Surroundings) -> Setup {
    let folder = around.named("CRUSH_GLOBAL_CONFIG", around.config("crush"));
    Setup {
        command: Some("crush"),
        versions: Versions {
            commands: &["crush"],
            packages: &["@charmland/crush"],
            ..Versions::default()
        },
        note: Some(
            "crush tells of calls and not of their results, so only calls that are equal ten times are found.",
        ),
        ..Setup::hooked([folder.join("crush.json")], around.here("crush.json"), &HOOKS)
    }
    .found_by(folder)
}
