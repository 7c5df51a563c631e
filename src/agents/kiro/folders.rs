use crate::folders::{LINES, SessionFolder, Where};

pub(super) fn folders(around: &Where) -> Vec<SessionFolder> {
    vec![SessionFolder::files(
        around.home(".kiro/sessions/cli"),
        LINES,
    )]
}
