use crate::agent::{Agent, SavedSession};
use crate::beside::{FileBeside, fact, json, text};
use crate::sessions::record::Facts;

pub(super) fn beside(session: SavedSession) -> Vec<FileBeside> {
    if session.agent != Some(Agent::OpenHands) || !session.is_in_parts {
        return Vec::new();
    }
    let path = session.file.join("../metadata.json");
    vec![FileBeside::facts(path, |bytes, _| Facts {
        title: fact(text(&json(bytes), "title")),
        ..Facts::default()
    })]
}
