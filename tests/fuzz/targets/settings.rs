//! Bytes become a settings file of an agent. What is put into it is valid, and can be taken out again; others' things
//! stay.

use std::path::Path;

use turnkeeper_watch::Mode;
use turnkeeper_watch::agents::AGENTS;
use turnkeeper_watch::setup::settings::without_ours;
use turnkeeper_watch::setup::{Change, Platform, Program, Surroundings, Wanted};

pub fn run(bytes: &[u8]) {
    let [which, content @ ..] = bytes else {
        return;
    };
    let Ok(content) = str::from_utf8(content) else {
        return;
    };
    let around = Surroundings {
        home: Path::new("/home/me"),
        here: Path::new("/work"),
        platform: Platform::Unix,
        variable: &|_| None,
    };
    let agent = AGENTS[usize::from(*which) % AGENTS.len()];
    let setup = (agent.setup)(&around);
    let wanted = Wanted {
        mode: Mode::Stop,
        economy: true,
        program: Program::Native,
        state: Path::new("/state"),
        is_shared: false,
        platform: Platform::Unix,
        version: "1",
    };
    let file = Path::new("/home/me/settings.json");
    for change in &setup.user.changes {
        if matches!(change, Change::Own { .. }) {
            continue;
        }
        let Ok(Some(others)) = without_ours(file, content) else {
            continue;
        };
        let plugin = "/state/bin/turnkeeper-pi.mjs";
        let Ok(ours) = change.added(Some(&others), setup.hook, &wanted, plugin) else {
            continue;
        };
        let left = without_ours(file, &ours).expect("what was written can be read");
        let left = left.expect("others' file stays");
        let again = change.added(Some(&left), setup.hook, &wanted, plugin);
        assert_eq!(again.expect("it was added before"), ours);
    }
}
