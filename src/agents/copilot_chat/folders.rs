use crate::folders::{SessionFolder, Where, joined};

pub(super) fn folders(around: &Where) -> Vec<SessionFolder> {
    let places = around.editors().flat_map(|user| {
        let workspaces = &["*/chatSessions/*.json", "*/chatSessions/*.jsonl"];
        let empty = joined(&user, "globalStorage/emptyWindowChatSessions");
        [
            SessionFolder::files(user.join("workspaceStorage"), workspaces),
            SessionFolder::files(empty, &["*.json", "*.jsonl"]),
        ]
    });
    places.collect()
}
