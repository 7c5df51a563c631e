use crate::folders::{SessionFolder, Where};

pub(super) fn folders(around: &Where) -> Vec<SessionFolder> {
    let usual = around
        .set("COPILOT_HOME")
        .unwrap_or_else(|| around.home(".copilot"));
    let former = around.under("XDG_STATE_HOME", ".copilot");
    let folders = [usual].into_iter().chain(former);
    let files = &["*.jsonl", "*/events.jsonl"];
    folders
        .map(|folder| SessionFolder::files(folder.join("session-state"), files))
        .collect()
}
