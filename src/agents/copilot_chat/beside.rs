use crate::agent::SavedSession;
use crate::beside::{FileBeside, fact, json, text};
use crate::folders::path_of;
use crate::sessions::record::Facts;

pub(super) fn beside(session: SavedSession) -> Vec<FileBeside> {
    let path = session.folder().join("../workspace.json");
    vec![FileBeside::facts(path, |bytes, _| Facts {
        working_directory: fact(text(&json(bytes), "folder").and_then(|it| path_of(&it))),
        ..Facts::default()
    })]
}
