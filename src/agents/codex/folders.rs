use crate::folders::{SessionFolder, Where};

pub(super) fn folders(around: &Where) -> Vec<SessionFolder> {
    let home = around.named("CODEX_HOME", ".codex");
    let files = &["**/rollout-*.jsonl", "**/rollout-*.jsonl.zst"];
    ["sessions", "archived_sessions"]
        .map(|name| SessionFolder::files(home.join(name), files))
        .into()
}
