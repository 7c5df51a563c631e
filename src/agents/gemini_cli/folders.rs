use crate::folders::{SessionFolder, Where, joined};

pub(super) fn folders(around: &Where) -> Vec<SessionFolder> {
    let home = around.named("GEMINI_CLI_HOME", "");
    let files = &["*/chats/**/*.json", "*/chats/**/*.jsonl"];
    vec![SessionFolder::files(joined(&home, ".gemini/tmp"), files)]
}
