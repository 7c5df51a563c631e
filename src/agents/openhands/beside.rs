use crate::beside::{FileBeside, SavedSession, fact, json, text};
use crate::sessions::{Facts, Format};

pub(super) fn beside(session: SavedSession) -> Vec<FileBeside> {
    if session.format != Format::OpenHands || !session.is_in_parts {
        return Vec::new();
    }
    let path = session.file.join("../metadata.json");
    vec![FileBeside::facts(path, |bytes, _| Facts {
        title: fact(text(&json(bytes), "title")),
        ..Facts::default()
    })]
}
