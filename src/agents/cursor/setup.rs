use crate::watch::setup::{HookEvent, Hooks, Setup, Surroundings, Version, Versions, event};

const EVENTS: &[HookEvent] = &[
    event("beforeSubmitPrompt"),
    event("postToolUse"),
    event("preToolUse").in_stop(),
];

const HOOKS: Hooks = Hooks {
    events: EVENTS,
    version: Some(1),
    ..Hooks::NONE
};

pub(super) fn setup(around: &Surroundings) -> Setup {
    let folder = around.home(".cursor");
    let project = around.here(".cursor/hooks.json");
    Setup {
        versions: Versions {
            commands: &["cursor"],
            since: Version(2, 4, 0),
            ..Versions::default()
        },
        ..Setup::hooked([folder.join("hooks.json")], project, &HOOKS)
    }
    .found_by(folder)
}
