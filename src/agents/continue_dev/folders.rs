use crate::folders::{SessionFolder, Where};

pub(super) fn folders(around: &Where) -> Vec<SessionFolder> {
    let home = around.named("CONTINUE_GLOBAL_DIR", ".continue");
    vec![SessionFolder::files(home.join("sessions"), &["*.json"])]
}
