use crate::folders::{SessionFolder, Where};

pub(super) fn folders(around: &Where) -> Vec<SessionFolder> {
    let named = around.set("OPENHANDS_CONVERSATIONS_DIR");
    let conversations = named
        .or_else(|| around.set("OH_CONVERSATIONS_PATH"))
        .unwrap_or_else(|| around.home(".openhands/conversations"));
    let canvas = around.home(".openhands/agent-canvas/conversations");
    let folders = [around.home(".openhands/sessions"), conversations, canvas];
    folders
        .map(|folder| SessionFolder::files(folder, &["**/*"]))
        .into()
}
