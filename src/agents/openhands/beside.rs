use crate::agent::SavedSession;
use crate::beside::{FileBeside, fact, json, text};
use crate::sessions::record::Facts;

pub(super) fn beside(session: SavedSession) -> Vec<FileBeside> {
    if !session.is_in_parts {
        return Vec::new();
    }
    let path = session.file.join("../metadata.json");
    vec![FileBeside::facts(path, |bytes, _| Facts {
        title: fact(text(&json(bytes), "title")),
        ..Facts::default()
    })]
}
