use crate::cline::folders::tasks_of;
use crate::folders::{SessionFolder, Where};

pub(super) fn folders(around: &Where) -> Vec<SessionFolder> {
    tasks_of(around, "rooveterinaryinc.roo-cline").collect()
}
