use crate::folders::{LINES, SessionFolder, Where};

pub(super) fn folders(around: &Where) -> Vec<SessionFolder> {
    let own = around.under("PI_CODING_AGENT_DIR", "sessions");
    vec![
        SessionFolder::files(
            own.unwrap_or_else(|| around.home(".pi/agent/sessions")),
            LINES,
        ),
        SessionFolder::files(around.home(".openclaw/agents"), &["*/sessions/**/*.jsonl"]),
        SessionFolder::files(around.home(".omp/agent/sessions"), LINES),
    ]
}
