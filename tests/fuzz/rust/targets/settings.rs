//! Bytes become an agent and its settings file. Our part is put in and taken out again: what stays is what was there,
//! with every comment, but for blanks and for what was empty.

use std::path::Path;

use serde_json::{Value, json};
use turnkeeper_agents::Watched;
use turnkeeper_agents::watch::Mode;
use turnkeeper_agents::watch::setup::settings::{JsonText, ours_in, without_ours};
use turnkeeper_agents::watch::setup::{Change, Platform, Surroundings, Version, Wanted};

pub fn run(bytes: &[u8]) {
    let Some((&first, content)) = bytes.split_first() else {
        return;
    };
    let Ok(content) = std::str::from_utf8(content) else {
        return;
    };
    let around = Surroundings {
        home: Path::new("/home/me"),
        here: Path::new("/work"),
        documents: Path::new("/home/me/Documents"),
        is_there: &|_| false,
        platform: Platform::Unix,
        variable: &|_| None,
    };
    let agents: Vec<_> = Watched::all().collect();
    let agent = agents[usize::from(first) % agents.len()];
    let setup = (agent.setup)(&around);
    let wanted = Wanted {
        mode: Mode::Stop,
        economy: true,
        state: Path::new("/state"),
        is_shared: false,
        platform: Platform::Unix,
        version: "1",
        agent_version: Version::NEWEST,
    };
    let file = Path::new("/home/me/settings.json");
    // Whatever stands in it, ours or not, is read or refused.
    let has_ours = ours_in(file, content).map(|ours| !ours.is_empty());
    let without = without_ours(file, content);
    let Some(change) = setup.user.changes.first() else {
        return;
    };
    if matches!(change, Change::Own { .. })
        || has_ours != Ok(false)
        || without != Ok(Some(content.into()))
    {
        return;
    }
    let plugin = "/state/bin/turnkeeper-pi.mjs";
    let Ok(with) = change.added(Some(content), agent.hook, &wanted, plugin) else {
        return;
    };
    assert!(
        !ours_in(file, &with).expect("our own writing").is_empty(),
        "{with}"
    );
    let left = without_ours(file, &with)
        .expect("our own writing")
        .expect("a file of others");
    assert_eq!(kept(&left), kept(content), "{with}");
}

/// The comments of a file and its value without what may come and go: the version that an agent asks for, and what is
/// empty.
fn kept(content: &str) -> (Vec<String>, Option<Value>) {
    let value = JsonText::read(content).ok().and_then(|text| text.get(&[]));
    let mut value = value.unwrap_or_default();
    if let Some(object) = value.as_object_mut() {
        object.shift_remove("version");
    }
    (comments(content), pruned(value))
}

fn pruned(value: Value) -> Option<Value> {
    match value {
        Value::Array(list) if list.is_empty() => None,
        Value::Object(object) => {
            let kept = object
                .into_iter()
                .filter_map(|(key, value)| Some((key, pruned(value)?)));
            Some(Value::Object(kept.collect())).filter(|it| *it != json!({}))
        }
        value => Some(value),
    }
}

fn comments(mut text: &str) -> Vec<String> {
    let mut comments = Vec::new();
    while let Some(at) = text.find(['"', '/']) {
        text = &text[at..];
        let end = match text.as_bytes() {
            [b'"', ..] => {
                let mut escapes = false;
                let end = text[1..].find(|it| {
                    let ends = it == '"' && !escapes;
                    escapes = it == '\\' && !escapes;
                    ends
                });
                end.map_or(text.len(), |end| end + 2)
            }
            [b'/', b'/', ..] => text.find(['\n', '\r']).unwrap_or(text.len()),
            [b'/', b'*', ..] => text[2..].find("*/").map_or(text.len(), |end| end + 4),
            _ => 1,
        };
        if text.starts_with('/') {
            comments.push(text[..end].trim_end().to_owned());
        }
        text = &text[end..];
    }
    comments
}
