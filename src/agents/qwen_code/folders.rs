use crate::folders::{SessionFolder, Where};

pub(super) fn folders(around: &Where) -> Vec<SessionFolder> {
    let named = around
        .set("QWEN_RUNTIME_DIR")
        .or_else(|| around.set("QWEN_HOME"));
    let home = named.unwrap_or_else(|| around.home(".qwen"));
    vec![
        SessionFolder::files(
            home.join("projects"),
            &["*/**/chats/**/*.jsonl", "*/**/subagents/**/*.jsonl"],
        ),
        // Versions of last year kept them as gemini-cli does.
        SessionFolder::files(
            home.join("tmp"),
            &["*/chats/**/*.json", "*/chats/**/*.jsonl"],
        ),
    ]
}
