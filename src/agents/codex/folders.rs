use crate::folders::{SessionFolder, Where};

pub(super) fn folders(around: &Where) -> Vec<SessionFolder> {
    let home = around
        .set("CODEX_HOME")
        .unwrap_or_else(|| around.home(".codex"));
    let files = &["**/rollout-*.jsonl", "**/rollout-*.jsonl.zst"];
    ["sessions", "archived_sessions"]
        .map(|name| SessionFolder::files(home.join(name), files))
        .into()
}
