use crate::agent::SavedSession;
use crate::beside::{FileBeside, fact};
use crate::sessions::record::Facts;

pub(super) fn beside(session: SavedSession) -> Vec<FileBeside> {
    let path = session.folder().join("../.project_root");
    // The file's only line is the folder.
    vec![FileBeside::facts(path, |bytes, _| Facts {
        working_directory: fact(Some(String::from_utf8_lossy(bytes).trim().to_owned())),
        ..Facts::default()
    })]
}
