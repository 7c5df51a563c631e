use crate::watch::setup::{
    Change, Plugin, Scope, Setup, Surroundings, Version, Versions, Wanted, module_text,
};

const PLUGIN: Plugin = Plugin {
    name: "opencode.mjs",
    is_address: true,
};

pub(super) fn setup(around: &Surroundings) -> Setup {
    let versions = Versions {
        commands: &["opencode"],
        packages: &["opencode-ai"],
        // The first that tells of each request.
        since: Version(1, 0, 152),
        unknown: Version(1, 0, 152),
        ..Versions::default()
    };
    of("opencode", versions, LISTS, around)
}

/// Since when the list of plugins has which name.
const LISTS: &[(&str, Version)] = &[("plugin", Version::FIRST), ("plugins", Version(2, 0, 0))];

/// The setup of opencode, and of Kilo, which is opencode underneath.
pub(crate) fn of(
    name: &'static str,
    versions: Versions,
    lists: &'static [(&'static str, Version)],
    around: &Surroundings,
) -> Setup {
    let folder = around.config(name);
    let users = [format!("{name}.jsonc"), format!("{name}.json")].map(|it| folder.join(it));
    let module = around.here(&format!(".{name}/plugin/turnkeeper.js"));
    Setup {
        command: Some(name),
        versions,
        plugin: Some(PLUGIN),
        user: Scope {
            changes: vec![Change::Item {
                places: users.to_vec(),
                lists,
            }],
            formerly: users.to_vec(),
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
        "export const Turnkeeper = async (input) => {
  const { server } = await plugin();
  return server ? server(input, OPTIONS) : {};
};",
    )
}
