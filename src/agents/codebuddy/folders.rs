use crate::folders::{LINES, SessionFolder, Where};

pub(super) fn folders(around: &Where) -> Vec<SessionFolder> {
    let home = around.named("CODEBUDDY_CONFIG_DIR", ".codebuddy");
    vec![SessionFolder::files(home.join("projects"), LINES)]
}
