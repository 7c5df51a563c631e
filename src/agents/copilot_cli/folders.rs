use crate::folders::{SessionFolder, Where};

pub(super) fn folders(around: &Where) -> Vec<SessionFolder> {
    let usual = around.named("COPILOT_HOME", ".copilot");
    let former = around.under("XDG_STATE_HOME", ".copilot");
    let folders = [usual].into_iter().chain(former);
    let files = &["*.jsonl", "*/events.jsonl"];
    folders
        .map(|folder| SessionFolder::files(folder.join("session-state"), files))
        .collect()
}
