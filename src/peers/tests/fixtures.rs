//! Runs the cases of `tests/data/peers/`; see `tests/data/README.md`.

use std::fs;
use std::path::Path;

use serde_json::Value;
use turnkeeper_peers::{PeerOptions, PeerProfile};

#[path = "../../../tests/rust/fixture_runner/case.rs"]
mod case;

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/peers");

#[test]
fn every_case_of_these_agents_gets_its_verdicts() {
    let mut run = Vec::new();
    for file in fs::read_dir(Path::new(FIXTURES)).expect("the fixtures are there") {
        let path = file.expect("readable").path();
        let text = fs::read_to_string(&path).expect("readable");
        let cases: Vec<Value> = serde_json::from_str(&text).expect("fixtures are JSON");
        for one in cases {
            case::run::<PeerOptions>(&one);
            let profile = one["options"]["profile"].clone();
            run.push(serde_json::from_value::<PeerProfile>(profile).expect("an agent"));
        }
    }
    for profile in PeerProfile::ALL {
        let cases = run.iter().filter(|one| *one == profile).count();
        assert!(cases >= 3, "{profile:?}: {cases} cases");
    }
}
