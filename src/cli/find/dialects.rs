//! The databases of agents: the tables that they have, and the lines that their rows become.

use std::path::Path;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row, params_from_iter};
use turnkeeper_base::json::{self, Json};

use super::database::next_row;

/// A row, by the names of its columns.
type Columns = Json<'static>;
/// Takes a line, and says whether it wants another.
type Take<'a> = &'a mut dyn FnMut(Columns) -> rusqlite::Result<()>;

/// A kind of database.
pub(super) struct Dialect {
    /// A column of each table by which it is recognised.
    columns: &'static [(&'static str, &'static str)],
    /// The ids of its sessions in their order, and when each was written last, in milliseconds.
    sessions: &'static str,
    /// A session's own row.
    session: &'static str,
    /// The rows of a session, as objects that its reader knows, from its own row.
    rows: fn(&Connection, Columns, &Path, Take) -> rusqlite::Result<()>,
}

impl std::fmt::Debug for Dialect {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.session)
    }
}

/// Every kind, those with more conditions first.
pub(super) static DIALECTS: &[Dialect] = &[
    Dialect {
        columns: &[("session", "directory"), ("message", "data"), ("part", "message_id")],
        sessions: "SELECT id, time_updated FROM session ORDER BY id",
        session: "SELECT * FROM session WHERE id = ?",
        rows: opencode,
    },
    Dialect {
        columns: &[("sessions", "working_dir"), ("messages", "content_json")],
        sessions: "SELECT id, strftime('%s', updated_at) * 1000 FROM sessions ORDER BY id",
        session: "SELECT * FROM sessions WHERE id = ?",
        rows: goose,
    },
    Dialect {
        // Times of crush are seconds; some versions have them in milliseconds.
        columns: &[("sessions", "prompt_tokens"), ("messages", "parts")],
        sessions: "SELECT id, CASE WHEN updated_at > 100000000000 THEN updated_at ELSE updated_at * 1000 END
            FROM sessions ORDER BY created_at",
        session: "SELECT * FROM sessions WHERE id = ?",
        rows: crush,
    },
    Dialect {
        columns: &[("sessions", "started_at"), ("messages", "tool_calls"), ("messages", "timestamp")],
        sessions: "SELECT id, (SELECT max(timestamp) FROM messages WHERE session_id = sessions.id) * 1000
            FROM sessions ORDER BY started_at, id",
        session: "SELECT * FROM sessions WHERE id = ?",
        rows: hermes,
    },
];

impl Dialect {
    /// Whether a database has the tables, and can be asked for them: a view may have no end, a table of another kind may
    /// be anything, and names of columns are texts.
    pub(super) fn is_of(&self, connection: &Connection) -> bool {
        let is_table = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND rootpage > 0 AND name = ? COLLATE NOCASE";
        let has_column = "SELECT 1 FROM pragma_table_info(?) WHERE name = ?";
        let is_there = |query, values: &[&str]| {
            let found = connection.query_row(query, params_from_iter(values), |_| Ok(()));
            found.is_ok()
        };
        self.columns.iter().all(|(table, column)| {
            is_there(is_table, &[table])
                && is_there(has_column, &[table, column])
                && has_readable_names(connection, table).unwrap_or(false)
        })
    }

    pub(super) fn sessions(
        &self,
        connection: &Connection,
    ) -> rusqlite::Result<Vec<(String, Option<f64>)>> {
        let mut statement = connection.prepare(self.sessions)?;
        let found = statement.query_map([], |row| {
            next_row();
            let written = match row.get_ref(1)? {
                ValueRef::Integer(time) => Some(time as f64),
                ValueRef::Real(time) => Some(time),
                _ => None,
            };
            Ok((text_of(row.get_ref(0)?), written))
        })?;
        found.collect()
    }

    /// Gives the lines of a session, until `take` has enough.
    pub(super) fn lines(
        &self,
        connection: &Connection,
        session: &str,
        file: &Path,
        take: &mut dyn FnMut(&[u8]) -> bool,
    ) -> rusqlite::Result<()> {
        let mut take = |row: Columns| {
            let mut line = json::written(&row);
            line.push('\n');
            // Nobody hears of it: who has enough knows why.
            if take(line.as_bytes()) {
                Ok(())
            } else {
                Err(rusqlite::Error::QueryReturnedNoRows)
            }
        };
        let mut own = None;
        each(connection, self.session, session, &mut |row| {
            own = Some(row);
            Ok(())
        })?;
        own.map_or(Ok(()), |own| (self.rows)(connection, own, file, &mut take))
    }
}

fn opencode(
    connection: &Connection,
    session: Columns,
    _: &Path,
    take: Take,
) -> rusqlite::Result<()> {
    let id = text(&session, "id");
    take(object([
        ("id", field(&session, "id")),
        ("title", field(&session, "title")),
        ("directory", field(&session, "directory")),
        ("version", Json::from(text(&session, "version"))),
        ("parentID", field(&session, "parent_id")),
        (
            "time",
            object([("created", field(&session, "time_created"))]),
        ),
    ]))?;
    let messages = "SELECT id, data FROM message WHERE session_id = ? ORDER BY id";
    each(connection, messages, &id, &mut |message| {
        let own = [
            ("id", field(&message, "id")),
            ("sessionID", Json::from(id.clone())),
        ];
        take(with(json_in(&message, "data"), own))?;
        let parts = "SELECT id, data FROM part WHERE message_id = ? ORDER BY id";
        each(connection, parts, &text(&message, "id"), &mut |part| {
            let own = [
                ("id", field(&part, "id")),
                ("messageID", field(&message, "id")),
                ("sessionID", Json::from(id.clone())),
            ];
            take(with(json_in(&part, "data"), own))
        })
    })
}

fn goose(connection: &Connection, session: Columns, _: &Path, take: Take) -> rusqlite::Result<()> {
    let (id, name) = (text(&session, "id"), text(&session, "name"));
    let names = [
        if is_placeholder(&name) {
            String::new()
        } else {
            name
        },
        text(&session, "description"),
    ];
    let title = names
        .into_iter()
        .find(|it| !it.is_empty())
        .unwrap_or_default();
    let own = [
        ("description", Json::from(title)),
        ("message_count", Json::Number(0.0)),
        ("model_config", json_in(&session, "model_config_json")),
    ];
    take(with(without(session, &["name", "model_config_json"]), own))?;
    let messages = "SELECT * FROM messages WHERE session_id = ? ORDER BY id";
    each(connection, messages, &id, &mut |message| {
        let created = match field(&message, "created_timestamp") {
            Json::Text(text) => text.trim().parse().map_or(Json::Null, Json::Number),
            time => time,
        };
        take(object([
            ("role", field(&message, "role")),
            ("created", created),
            ("content", json_in(&message, "content_json")),
            ("metadata", json_in(&message, "metadata_json")),
        ]))
    })
}

/// Whether it is what goose calls a session before it has a name.
fn is_placeholder(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let number = name.strip_prefix("new session ");
    name == "cli session" || number.is_some_and(|it| it.bytes().all(|it| it.is_ascii_digit()))
}

fn crush(
    connection: &Connection,
    session: Columns,
    file: &Path,
    take: Take,
) -> rusqlite::Result<()> {
    let id = text(&session, "id");
    let created = field(&session, "created_at");
    let directory = Json::from(project_of(file));
    take(object([
        ("session", with(session, [("directory", directory)])),
        ("timestamp", created),
    ]))?;
    let messages = "SELECT * FROM messages WHERE session_id = ? ORDER BY created_at, rowid";
    each(connection, messages, &id, &mut |message| {
        let created = field(&message, "created_at");
        take(object([("message", message), ("timestamp", created)]))
    })
}

/// The folder around `.crush`, in which crush keeps a project's database.
fn project_of(file: &Path) -> String {
    let path = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    let home = path.parent().unwrap_or(&path);
    let is_own = home
        .file_name()
        .is_some_and(|it| it == ".crush" || it == ".opencode");
    let project = if is_own { home.parent() } else { None };
    project.unwrap_or(home).to_string_lossy().into_owned()
}

/// The lines are those of Hermes' files: what is known of the session, in the name of `session_meta`, and then messages
/// of OpenAI's. Times are seconds.
fn hermes(connection: &Connection, session: Columns, _: &Path, take: Take) -> rusqlite::Result<()> {
    let id = text(&session, "id");
    let own = [
        ("role", Json::from("session_meta")),
        ("platform", field(&session, "source")),
        ("timestamp", field(&session, "started_at")),
    ];
    take(with(
        without(session, &["system_prompt", "model_config"]),
        own,
    ))?;
    let messages = "SELECT * FROM messages WHERE session_id = ? ORDER BY id";
    each(connection, messages, &id, &mut |message| {
        let own = [
            ("content", hermes_content(&message)),
            ("tool_calls", json_in(&message, "tool_calls")),
        ];
        take(without_nulls(with(
            without(message, &["id", "session_id"]),
            own,
        )))
    })
}

/// The mark before content that is JSON, and no text.
const HERMES_JSON: &str = "\0json:";

fn hermes_content(message: &Columns) -> Columns {
    let content = field(message, "content");
    let value = content
        .as_text()
        .and_then(|text| text.strip_prefix(HERMES_JSON))
        .map(parsed);
    value.unwrap_or(content)
}

fn has_readable_names(connection: &Connection, table: &str) -> rusqlite::Result<bool> {
    let mut statement = connection.prepare("SELECT name FROM pragma_table_xinfo(?)")?;
    let mut rows = statement.query([table])?;
    while let Some(row) = rows.next()? {
        if row.get_ref(0)?.as_str().is_err() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Gives each row of a query that has one parameter.
fn each(connection: &Connection, query: &str, value: &str, take: Take) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached(query)?;
    // They are UTF-8, or the database was not taken for an agent's.
    let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let mut rows = statement.query([value])?;
    while let Some(row) = rows.next()? {
        take(columns_of(row, &names)?)?;
        next_row();
    }
    Ok(())
}

fn columns_of(row: &Row, names: &[String]) -> rusqlite::Result<Columns> {
    let fields = names.iter().enumerate().map(|(at, name)| {
        let value = match row.get_ref(at)? {
            ValueRef::Null => Json::Null,
            ValueRef::Integer(value) => Json::Number(value as f64),
            ValueRef::Real(value) => Json::Number(value),
            value => Json::from(text_of(value)),
        };
        Ok((name.clone().into(), value))
    });
    Ok(Json::Object(fields.collect::<rusqlite::Result<_>>()?))
}

/// A value as text, whatever it is.
fn text_of(value: ValueRef) -> String {
    match value {
        ValueRef::Null => String::new(),
        ValueRef::Integer(value) => value.to_string(),
        ValueRef::Real(value) => value.to_string(),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => {
            String::from_utf8_lossy(bytes).into_owned()
        }
    }
}

fn field(row: &Columns, name: &str) -> Columns {
    row.get(name).cloned().unwrap_or_default()
}

/// A column's text; empty if it has none.
fn text(row: &Columns, name: &str) -> String {
    match row.get(name) {
        Some(Json::Text(text)) => text.clone().into_owned(),
        Some(Json::Number(number)) => number.to_string(),
        _ => String::new(),
    }
}

/// The value that a column holds as JSON; null if it holds none.
fn json_in(row: &Columns, name: &str) -> Columns {
    row.get(name)
        .and_then(Json::as_text)
        .map(parsed)
        .unwrap_or_default()
}

fn parsed(text: &str) -> Columns {
    let mut room = Vec::new();
    json::parse(text.as_bytes(), &mut room).map_or(Json::Null, Json::into_owned)
}

fn object<const N: usize>(fields: [(&'static str, Columns); N]) -> Columns {
    Json::object(fields)
}

/// An object with these fields in the place of those of the same name.
fn with<const N: usize>(row: Columns, own: [(&'static str, Columns); N]) -> Columns {
    let Json::Object(mut fields) = without(row, &own.each_ref().map(|(name, _)| *name)) else {
        return object(own);
    };
    fields.extend(own.map(|(name, value)| (name.into(), value)));
    Json::Object(fields)
}

fn without(mut row: Columns, names: &[&str]) -> Columns {
    if let Json::Object(fields) = &mut row {
        fields.retain(|(name, _)| !names.contains(&name.as_ref()));
    }
    row
}

fn without_nulls(mut row: Columns) -> Columns {
    if let Json::Object(fields) = &mut row {
        fields.retain(|(_, value)| *value != Json::Null);
    }
    row
}
