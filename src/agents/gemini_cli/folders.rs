use crate::folders::{SessionFolder, Where, joined};

pub(super) fn folders(around: &Where) -> Vec<SessionFolder> {
    let home = around
        .set("GEMINI_CLI_HOME")
        .unwrap_or_else(|| around.home(""));
    let files = &["*/chats/**/*.json", "*/chats/**/*.jsonl"];
    vec![SessionFolder::files(joined(&home, ".gemini/tmp"), files)]
}
