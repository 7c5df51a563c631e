use crate::folders::{SessionFolder, Where};

pub(super) fn folders(around: &Where) -> Vec<SessionFolder> {
    let folder = around.data("opencode");
    let database = around.set("OPENCODE_DB").and_then(|named| {
        let name = named.file_name()?.to_str()?;
        Some(SessionFolder::databases(named.parent()?.to_owned(), name))
    });
    let usual = || SessionFolder::databases(folder.clone(), "opencode*.db");
    vec![
        database.unwrap_or_else(usual),
        SessionFolder::files(folder.join("storage"), &["**/*"]),
    ]
}
