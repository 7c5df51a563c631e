use crate::cline::folders::tasks_of;
use crate::folders::{SessionFolder, Where};

pub(super) fn folders(around: &Where) -> Vec<SessionFolder> {
    let database = SessionFolder::databases(around.data("kilo"), "kilo*.db");
    tasks_of(around, "kilocode.kilo-code")
        .chain([database])
        .collect()
}
