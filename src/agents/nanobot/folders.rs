use crate::folders::{LINES, SessionFolder, Where};

pub(super) fn folders(around: &Where) -> Vec<SessionFolder> {
    vec![
        SessionFolder::files(around.home(".nanobot/sessions"), LINES),
        SessionFolder::files(around.home(".nanobot/workspace/sessions"), LINES),
    ]
}
