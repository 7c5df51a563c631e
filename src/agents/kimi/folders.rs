use crate::folders::{SessionFolder, Where};

pub(super) fn folders(around: &Where) -> Vec<SessionFolder> {
    let home = around.named("KIMI_SHARE_DIR", ".kimi");
    let code = around.named("KIMI_CODE_HOME", ".kimi-code");
    vec![
        SessionFolder::files(
            home.join("sessions"),
            &["**/wire.jsonl", "**/context.jsonl"],
        ),
        SessionFolder::files(code.join("sessions"), &["**/wire.jsonl"]),
    ]
}
