//! The rows of agents' databases as lines.

use std::path::Path;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, params_from_iter};
use turnkeeper_agents::Agent;
use turnkeeper_agents::database::{Row, SessionTables, field, text};
use turnkeeper_base::json::{self, Json};

use super::database::next_row;

/// The tables of a database, if they are an agent's that can be asked for: a view may have no end, a table of another
/// kind may be anything, and names of columns are texts.
pub(super) fn tables_of(connection: &Connection) -> Option<&'static SessionTables> {
    let is_table = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND rootpage > 0 AND name = ? COLLATE NOCASE";
    let has_column = "SELECT 1 FROM pragma_table_info(?) WHERE name = ?";
    let is_there = |query, values: &[&str]| {
        let found = connection.query_row(query, params_from_iter(values), |_| Ok(()));
        found.is_ok()
    };
    let mut all = Agent::ALL.iter().filter_map(|it| it.session_tables());
    all.find(|tables| {
        tables.columns.iter().all(|(table, column)| {
            is_there(is_table, &[table])
                && is_there(has_column, &[table, column])
                && has_readable_names(connection, table).unwrap_or(false)
        })
    })
}

/// The ids of the sessions, and when each was written last, in milliseconds.
pub(super) fn sessions(
    tables: &SessionTables,
    connection: &Connection,
) -> rusqlite::Result<Vec<(String, Option<f64>)>> {
    let mut statement = connection.prepare(tables.sessions)?;
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
    tables: &SessionTables,
    connection: &Connection,
    session: &str,
    file: &Path,
    take: &mut dyn FnMut(&[u8]) -> bool,
) -> rusqlite::Result<()> {
    let mut take = |row: &Row| {
        let mut line = json::written(row);
        line.push('\n');
        // Nobody hears of it: who has enough knows why.
        if take(line.as_bytes()) {
            Ok(())
        } else {
            Err(rusqlite::Error::QueryReturnedNoRows)
        }
    };
    let mut own = None;
    each(connection, tables.session, session, &mut |row| {
        own = Some(row);
        Ok(())
    })?;
    let Some(own) = own else { return Ok(()) };
    let session = text(&own, "id");
    let file = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    take(&(tables.session_line)(own, &file))?;
    each(connection, tables.messages, &session, &mut |message| {
        let id = field(&message, "id");
        let key = text(&message, "id");
        take(&(tables.message_line)(message, &session))?;
        let Some(table) = &tables.parts else {
            return Ok(());
        };
        each(connection, table.parts, &key, &mut |part| {
            take(&(table.line)(part, id.clone(), &session))
        })
    })
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
fn each(
    connection: &Connection,
    query: &str,
    value: &str,
    take: &mut dyn FnMut(Row) -> rusqlite::Result<()>,
) -> rusqlite::Result<()> {
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

fn columns_of(row: &rusqlite::Row, names: &[String]) -> rusqlite::Result<Row> {
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
