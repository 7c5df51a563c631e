use turnkeeper_base::json::Json;

use crate::database::{Row, SessionTables, field, json_in, parsed, with, without};

/// The lines are those of Hermes' files: what is known of the session, in the name of `session_meta`, and then messages
/// of OpenAI's. Times are seconds.
pub(super) const TABLES: SessionTables = SessionTables {
    columns: &[
        ("sessions", "started_at"),
        ("messages", "tool_calls"),
        ("messages", "timestamp"),
    ],
    sessions:
        "SELECT id, (SELECT max(timestamp) FROM messages WHERE session_id = sessions.id) * 1000
        FROM sessions ORDER BY started_at, id",
    session: "SELECT * FROM sessions WHERE id = ?",
    session_line: |session, _| {
        let own = [
            ("role", Json::from("session_meta")),
            ("platform", field(&session, "source")),
            ("timestamp", field(&session, "started_at")),
        ];
        with(without(session, &["system_prompt", "model_config"]), own)
    },
    messages: "SELECT * FROM messages WHERE session_id = ? ORDER BY id",
    message_line: |message, _| {
        let own = [
            ("content", content_of(&message)),
            ("tool_calls", json_in(&message, "tool_calls")),
        ];
        let mut line = with(without(message, &["id", "session_id"]), own);
        if let Json::Object(fields) = &mut line {
            fields.retain(|(_, value)| *value != Json::Null);
        }
        line
    },
    parts: None,
};

/// A message's content, which is JSON after a mark, and else text.
fn content_of(message: &Row) -> Row {
    let content = field(message, "content");
    let json = content.as_text().and_then(|it| it.strip_prefix("\0json:"));
    json.map(parsed).unwrap_or(content)
}
