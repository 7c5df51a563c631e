use crate::folders::{SessionFolder, Where};

pub(super) fn folders(around: &Where) -> Vec<SessionFolder> {
    const ON_WINDOWS: &str = "Block/goose/data/sessions";
    let roaming = if around.is_windows() {
        around.under("APPDATA", ON_WINDOWS)
    } else {
        None
    };
    let folder = around.under("GOOSE_PATH_ROOT", "data/sessions").or(roaming);
    let folder = folder.unwrap_or_else(|| around.data("goose/sessions"));
    vec![
        SessionFolder::databases(folder.clone(), "sessions.db"),
        SessionFolder::files(folder, &["*.jsonl"]),
    ]
}
