use turnkeeper_base::json::Json;

use crate::database::{SessionTables, field, json_in, text, with, without};

pub(super) const TABLES: SessionTables = SessionTables {
    columns: &[("sessions", "working_dir"), ("messages", "content_json")],
    sessions: "SELECT id, strftime('%s', updated_at) * 1000 FROM sessions ORDER BY id",
    session: "SELECT * FROM sessions WHERE id = ?",
    session_line: |session, _| {
        let name = Some(text(&session, "name")).filter(|it| !it.is_empty() && !is_placeholder(it));
        let title = name.unwrap_or_else(|| text(&session, "description"));
        let own = [
            ("description", Json::from(title)),
            ("message_count", Json::Number(0.0)),
            ("model_config", json_in(&session, "model_config_json")),
        ];
        with(without(session, &["name", "model_config_json"]), own)
    },
    messages: "SELECT * FROM messages WHERE session_id = ? ORDER BY id",
    message_line: |message, _| {
        let created = match field(&message, "created_timestamp") {
            Json::Text(text) => text.trim().parse().map_or(Json::Null, Json::Number),
            time => time,
        };
        Json::object([
            ("role", field(&message, "role")),
            ("created", created),
            ("content", json_in(&message, "content_json")),
            ("metadata", json_in(&message, "metadata_json")),
        ])
    },
    parts: None,
};

/// Whether it is what goose calls a session before it has a name.
fn is_placeholder(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let number = name.strip_prefix("new session ");
    name == "cli session" || number.is_some_and(|it| it.bytes().all(|it| it.is_ascii_digit()))
}
