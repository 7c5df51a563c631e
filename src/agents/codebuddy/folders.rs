use crate::folders::{LINES, SessionFolder, Where};

pub(super) fn folders(around: &Where) -> Vec<SessionFolder> {
    let home = around
        .set("CODEBUDDY_CONFIG_DIR")
        .unwrap_or_else(|| around.home(".codebuddy"));
    vec![SessionFolder::files(home.join("projects"), LINES)]
}
