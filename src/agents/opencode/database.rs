use turnkeeper_base::json::Json;

use crate::database::{PartTable, SessionTables, field, json_in, text, with};

pub(super) const TABLES: SessionTables = SessionTables {
    columns: &[
        ("session", "directory"),
        ("message", "data"),
        ("part", "message_id"),
    ],
    sessions: "SELECT id, time_updated FROM session ORDER BY id",
    session: "SELECT * FROM session WHERE id = ?",
    session_line: |session, _| {
        let created = Json::object([("created", field(&session, "time_created"))]);
        Json::object([
            ("id", field(&session, "id")),
            ("title", field(&session, "title")),
            ("directory", field(&session, "directory")),
            ("version", Json::from(text(&session, "version"))),
            ("parentID", field(&session, "parent_id")),
            ("time", created),
        ])
    },
    messages: "SELECT id, data FROM message WHERE session_id = ? ORDER BY id",
    message_line: |message, session| {
        let own = [
            ("id", field(&message, "id")),
            ("sessionID", Json::from(session.to_owned())),
        ];
        with(json_in(&message, "data"), own)
    },
    parts: Some(PartTable {
        parts: "SELECT id, data FROM part WHERE message_id = ? ORDER BY id",
        line: |part, message, session| {
            let own = [
                ("id", field(&part, "id")),
                ("messageID", message),
                ("sessionID", Json::from(session.to_owned())),
            ];
            with(json_in(&part, "data"), own)
        },
    }),
};
