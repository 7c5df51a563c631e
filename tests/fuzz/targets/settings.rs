//! Bytes become a settings file of an agent. What is put into it can be taken out again, and others' things stay.

use std::path::Path;

use serde_json::Value;
use turnkeeper_watch::Mode;
use turnkeeper_watch::agents::AGENTS;
use turnkeeper_watch::setup::settings::{JsonText, without_ours};
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
        assert_eq!(without_empty(&left), without_empty(&others));
    }
}

/// What a file says, without lists and objects in which nothing is.
fn without_empty(content: &str) -> Value {
    let text = JsonText::read(content).expect("it was read before");
    let mut value = text.get(&[]).unwrap_or_default();
    prune(&mut value);
    value
}

fn prune(value: &mut Value) {
    if let Value::Object(fields) = value {
        fields.values_mut().for_each(prune);
        let is_empty = |value: &Value| match value {
            Value::Object(fields) => fields.is_empty(),
            Value::Array(items) => items.is_empty(),
            _ => false,
        };
        fields.retain(|name, value| name != "version" && !is_empty(value));
    }
}
