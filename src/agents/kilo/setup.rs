use crate::opencode;
use crate::watch::setup::{Setup, Surroundings, Version, Versions};

pub(super) fn setup(around: &Surroundings) -> Setup {
    let versions = Versions {
        commands: &["kilo"],
        packages: &["@kilocode/cli"],
        // Before, it was another program.
        since: Version(7, 0, 0),
        unknown: Version(7, 0, 0),
        ..Versions::default()
    };
    opencode::setup::of("kilo", versions, LISTS, around)
}

/// The list of plugins has the name that it had in opencode 1.
const LISTS: &[(&str, Version)] = &[("plugin", Version::FIRST), ("plugins", Version::NEWEST)];
