use crate::folders::{SessionFolder, Where};

/// A task's history, or what the panel showed if there is no history.
const TASK: &[&str] = &["*/api_conversation_history.json", "*/ui_messages.json"];

/// The tasks of an extension of VS Code that is Cline, or a relative.
pub(crate) fn tasks_of<'a>(
    around: &'a Where,
    extension: &'a str,
) -> impl Iterator<Item = SessionFolder> + 'a {
    let folders = around
        .editors()
        .map(move |user| user.join("globalStorage").join(extension));
    folders.map(|folder| SessionFolder::files(folder.join("tasks"), TASK))
}

pub(super) fn folders(around: &Where) -> Vec<SessionFolder> {
    let sessions = around
        .set("CLINE_SESSION_DATA_DIR")
        .or_else(|| around.under("CLINE_DATA_DIR", "sessions"))
        .or_else(|| around.under("CLINE_DIR", "data/sessions"))
        .unwrap_or_else(|| around.home(".cline/data/sessions"));
    let own = [
        SessionFolder::files(around.home(".cline/data/tasks"), TASK),
        SessionFolder::files(sessions, &["**/*.messages.json"]),
    ];
    tasks_of(around, "saoudrizwan.claude-dev")
        .chain(own)
        .collect()
}
