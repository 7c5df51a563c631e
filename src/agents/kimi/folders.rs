use crate::folders::{SessionFolder, Where};

pub(super) fn folders(around: &Where) -> Vec<SessionFolder> {
    let home = around
        .set("KIMI_SHARE_DIR")
        .unwrap_or_else(|| around.home(".kimi"));
    let code = around
        .set("KIMI_CODE_HOME")
        .unwrap_or_else(|| around.home(".kimi-code"));
    vec![
        SessionFolder::files(
            home.join("sessions"),
            &["**/wire.jsonl", "**/context.jsonl"],
        ),
        SessionFolder::files(code.join("sessions"), &["**/wire.jsonl"]),
    ]
}
