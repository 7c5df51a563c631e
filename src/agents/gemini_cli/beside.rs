use crate::beside::{FileBeside, SavedSession, fact};
use crate::sessions::{Facts, Format};

pub(super) fn beside(session: SavedSession) -> Vec<FileBeside> {
    if session.format != Format::GeminiCli {
        return Vec::new();
    }
    let path = session.folder().join("../.project_root");
    // The file's only line is the folder.
    vec![FileBeside::facts(path, |bytes, _| Facts {
        working_directory: fact(Some(String::from_utf8_lossy(bytes).trim().to_owned())),
        ..Facts::default()
    })]
}
