use crate::watch::setup::{
    Change, Plugin, Scope, Setup, Surroundings, Version, Versions, Wanted, module_text,
};

const PLUGIN: Plugin = Plugin {
    name: "pi.mjs",
    is_address: false,
};

pub(super) fn setup(around: &Surroundings) -> Setup {
    let folder = around.named("PI_CODING_AGENT_DIR", around.home(".pi/agent"));
    let places = vec![folder.join("settings.json")];
    let module = around.here(".pi/extensions/turnkeeper.js");
    Setup {
        command: Some("pi"),
        versions: Versions {
            commands: &["pi"],
            packages: &[
                "@earendil-works/pi-coding-agent",
                "@mariozechner/pi-coding-agent",
            ],
            since: Version(0, 37, 2),
            ..Versions::default()
        },
        plugin: Some(PLUGIN),
        user: Scope {
            changes: vec![Change::Item {
                places,
                lists: &[("extensions", Version::FIRST)],
            }],
            ..Scope::default()
        },
        project: Scope {
            changes: vec![Change::own(module, content)],
            ..Scope::default()
        },
        ..Setup::default()
    }
    .found_by(folder)
}

fn content(wanted: &Wanted) -> String {
    module_text(
        PLUGIN,
        wanted.mode,
        "export default async function turnkeeper(pi) {
  const { default: register } = await plugin();
  register?.(pi, OPTIONS);
}",
    )
}
