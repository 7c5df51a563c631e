use std::path::Path;

use turnkeeper_base::json::Json;

use crate::database::{SessionTables, field, with};

pub(super) const TABLES: SessionTables = SessionTables {
    columns: &[("sessions", "prompt_tokens"), ("messages", "parts")],
    // Times are seconds; some versions have them in milliseconds.
    sessions:
        "SELECT id, CASE WHEN updated_at > 100000000000 THEN updated_at ELSE updated_at * 1000 END
        FROM sessions ORDER BY created_at",
    session: "SELECT * FROM sessions WHERE id = ?",
    session_line: |session, file| {
        let created = field(&session, "created_at");
        let directory = Json::from(project_of(file));
        Json::object([
            ("session", with(session, [("directory", directory)])),
            ("timestamp", created),
        ])
    },
    messages: "SELECT * FROM messages WHERE session_id = ? ORDER BY created_at, rowid",
    message_line: |message, _| {
        let created = field(&message, "created_at");
        Json::object([("message", message), ("timestamp", created)])
    },
    parts: None,
};

/// The folder around `.crush`, in which crush keeps a project's database.
fn project_of(file: &Path) -> String {
    let home = file.parent().unwrap_or(file);
    let name = home.file_name();
    let is_own = name.is_some_and(|it| it == ".crush" || it == ".opencode");
    let project = if is_own { home.parent() } else { None };
    project.unwrap_or(home).to_string_lossy().into_owned()
}
