//! Sessions that an agent keeps in a database: the tables that it has, and the lines that their rows become, in the
//! shapes that the readers of sessions know.

use std::path::Path;

use turnkeeper_base::json::{self, Json};

/// A row, by the names of its columns.
pub type Row = Json<'static>;

/// The tables of an agent's sessions. Queries but `sessions` have one parameter, an id.
#[derive(Debug)]
pub struct SessionTables {
    /// A column of each table by which they are recognised.
    pub columns: &'static [(&'static str, &'static str)],
    /// The ids of the sessions in their order, and when each was written last, in milliseconds.
    pub sessions: &'static str,
    /// A session's own row.
    pub session: &'static str,
    /// The line of a session's own row, in the database at an absolute path.
    pub session_line: fn(Row, &Path) -> Row,
    /// The rows of a session's messages.
    pub messages: &'static str,
    /// The line of a message of the session with an id.
    pub message_line: fn(Row, &str) -> Row,
    /// The parts of a message, if they have a table.
    pub parts: Option<PartTable>,
}

/// The table of messages' parts.
#[derive(Debug)]
pub struct PartTable {
    /// The rows of a message's parts.
    pub parts: &'static str,
    /// The line of a part of the message with an id, of the session with an id.
    pub line: fn(Row, Row, &str) -> Row,
}

/// A column's value.
pub fn field(row: &Row, name: &str) -> Row {
    row.get(name).cloned().unwrap_or_default()
}

/// A column's text; empty if it has none.
pub fn text(row: &Row, name: &str) -> String {
    match row.get(name) {
        Some(Json::Text(text)) => text.clone().into_owned(),
        Some(Json::Number(number)) => number.to_string(),
        _ => String::new(),
    }
}

/// The value that a column holds as JSON; null if it holds none.
pub(crate) fn json_in(row: &Row, name: &str) -> Row {
    let text = row.get(name).and_then(Json::as_text);
    text.map(parsed).unwrap_or_default()
}

/// The value of JSON; null of any other text.
pub(crate) fn parsed(text: &str) -> Row {
    let mut room = Vec::new();
    json::parse(text.as_bytes(), &mut room).map_or(Json::Null, Json::into_owned)
}

/// An object with these fields in the place of those of the same name.
pub(crate) fn with<const N: usize>(row: Row, own: [(&'static str, Row); N]) -> Row {
    let Json::Object(mut fields) = without(row, &own.each_ref().map(|(name, _)| *name)) else {
        return Json::object(own);
    };
    fields.extend(own.map(|(name, value)| (name.into(), value)));
    Json::Object(fields)
}

/// An object without the fields of these names.
pub(crate) fn without(mut row: Row, names: &[&str]) -> Row {
    if let Json::Object(fields) = &mut row {
        fields.retain(|(name, _)| !names.contains(&name.as_ref()));
    }
    row
}
