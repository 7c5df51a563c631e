//! Bytes become an agent and its settings file. Our part is put in and taken out again: what stays is what was there,
//! but for blanks, and for lists and objects that were empty and got lines.

use std::path::Path;

use turnkeeper_watch::Mode;
use turnkeeper_watch::agents::AGENTS;
use turnkeeper_watch::setup::settings::{ours_in, without_ours};
use turnkeeper_watch::setup::{Change, Platform, Program, Surroundings, Wanted};

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
        platform: Platform::Unix,
        variable: &|_| None,
    };
    let agent = AGENTS[usize::from(first) % AGENTS.len()];
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
    let Ok(with) = change.added(Some(content), setup.hook, &wanted, plugin) else {
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

/// A file without what may come and go: blanks, the version that an agent asks for, an object in a file of comments
/// alone, and lists and objects that are empty.
fn kept(content: &str) -> String {
    let mut text: String = content.split_whitespace().collect();
    while let Some(empty) = property(&text, "[]").or_else(|| property(&text, "{}")) {
        text.replace_range(empty, "");
    }
    text.replace("\"version\":1", "")
        .replace(',', "")
        .trim_end_matches("{}")
        .to_owned()
}

/// The place of a property with that value.
fn property(text: &str, value: &str) -> Option<std::ops::Range<usize>> {
    let end = text.find(&format!("\":{value}"))?;
    let start = text[..end].rfind('"')?;
    Some(start..end + 2 + value.len())
}
