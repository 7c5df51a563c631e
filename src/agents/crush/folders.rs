use crate::folders::{SessionFolder, Where};

pub(super) fn folders(around: &Where) -> Vec<SessionFolder> {
    let local = if around.is_windows() {
        around.under("LOCALAPPDATA", "crush")
    } else {
        None
    };
    let folder = around.set("CRUSH_GLOBAL_DATA").or(local);
    vec![SessionFolder::crush_projects(
        folder.unwrap_or_else(|| around.data("crush")),
    )]
}
