use crate::folders::{SessionFolder, Where};

pub(super) fn folders(around: &Where) -> Vec<SessionFolder> {
    let home = around
        .set("CONTINUE_GLOBAL_DIR")
        .unwrap_or_else(|| around.home(".continue"));
    vec![SessionFolder::files(home.join("sessions"), &["*.json"])]
}
