//! Sessions in SQLite databases, as the lines of a file: one object a row, in the shapes that the readers of saved
//! sessions know. Nothing is ever written to a database.

use std::cell::Cell;
use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, OpenFlags};
use tempfile::TempDir;
use turnkeeper_agents::database::SessionTables;

use super::input::{Input, Row};
use super::tables;
use crate::files::{is_alive, open_regular};
use crate::problem::{InFile, Problem, Result};
use crate::program::path_in_address;

/// The beginning of every database.
const HEADER: &[u8; 16] = b"SQLite format 3\0";

/// A database of an agent's. Each thread has a connection of its own.
#[derive(Debug, Clone)]
pub(crate) struct Database {
    file: PathBuf,
    tables: &'static SessionTables,
    access: Arc<Access>,
}

/// The way in which a database is read so that nobody waits, and nothing is left beside it.
#[derive(Debug)]
enum Access {
    /// Nobody is writing, so it is read as it is; SQLite would make a log beside it to read it.
    Immutable,
    /// Its log is in use: SQLite reads it beside the one who writes.
    Shared,
    /// Its log was left there: a copy of both is read.
    Copy(TempDir),
}

/// Whether a file in a folder is looked at as a database.
pub(crate) fn may_be_database(file: &Path) -> bool {
    let extension = file.extension().and_then(|it| it.to_str());
    extension.is_some_and(|it| matches!(it, "db" | "sqlite" | "sqlite3"))
}

impl Database {
    /// The database that a file is, if it is one of an agent's that is known.
    pub(crate) fn recognised(file: &Path) -> Option<Self> {
        has_header(file).then(|| Database::open(file).ok())?
    }

    /// The database of an agent's.
    pub(crate) fn open(file: &Path) -> Result<Self> {
        let (access, connection) = access_to(file)?;
        let tables = tables::tables_of(&connection).ok_or_else(|| {
            Problem::new(
                file,
                "is an SQLite database of no agent that turnkeeper knows",
            )
        })?;
        Ok(Database {
            file: file.to_owned(),
            tables,
            access: Arc::new(access),
        })
    }

    /// Its sessions, but for those that were written last before `since`, in milliseconds since 1970.
    pub(crate) fn sessions(&self, input: &Input, since: f64) -> Result<Vec<Input>> {
        let connection = self.connection()?;
        let ids = tables::sessions(self.tables, &connection).map_err(|why| self.broken(&why))?;
        let bytes =
            fs::metadata(&self.file).map_or(0, |found| found.len()) / ids.len().max(1) as u64;
        let wanted = ids
            .into_iter()
            .filter(|(_, written)| written.is_none_or(|it| it >= since));
        let inputs = wanted.map(|(session, _)| Input {
            row: Some(Row {
                database: self.clone(),
                session,
                bytes,
            }),
            ..input.clone()
        });
        Ok(inputs.collect())
    }

    /// A session's rows as lines.
    pub(crate) fn lines(
        &self,
        session: &str,
        take: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        let connection = self.connection()?;
        let mut stopped = Ok(());
        let read = tables::lines(self.tables, &connection, session, &self.file, &mut |line| {
            stopped = take(line);
            stopped.is_ok()
        });
        stopped?;
        read.map_err(|why| self.broken(&why))
    }

    fn connection(&self) -> Result<Connection> {
        connect(&self.file, &self.access).map_err(|why| self.broken(&why))
    }

    fn broken(&self, why: &rusqlite::Error) -> Problem {
        broken(&self.file, why)
    }
}

fn broken(file: &Path, why: &rusqlite::Error) -> Problem {
    Problem::new(file, format!("cannot be read as a database ({why})"))
}

fn has_header(file: &Path) -> bool {
    let mut beginning = [0; HEADER.len()];
    let read = open_regular(file)
        .ok()
        .and_then(|mut it| it.read_exact(&mut beginning).ok());
    read.is_some() && &beginning == HEADER
}

/// A file that SQLite keeps beside a database.
fn beside(file: &Path, end: &str) -> PathBuf {
    let mut name = OsString::from(file);
    name.push(end);
    name.into()
}

fn access_to(file: &Path) -> Result<(Access, Connection)> {
    // A pipe or a device in its place would keep SQLite waiting.
    open_regular(file)?;
    let has = |end: &str| fs::metadata(beside(file, end)).is_ok_and(|found| found.len() > 0);
    if !has("-wal") && !has("-journal") {
        let connection = connect(file, &Access::Immutable).map_err(|why| broken(file, &why))?;
        return Ok((Access::Immutable, connection));
    }
    if (has("-journal") || has("-shm"))
        && let Ok(connection) = connect(file, &Access::Shared)
    {
        return Ok((Access::Shared, connection));
    }
    let access = Access::Copy(copy_of(file)?);
    let connection = connect(file, &access).map_err(|why| broken(file, &why))?;
    Ok((access, connection))
}

/// The name of the copy in its folder.
const COPY: &str = "copy.db";

/// The beginning of the name of its folder, before the number of the process.
const START: &str = "turnkeeper-";

/// A folder with a copy of a database and of its log.
fn copy_of(file: &Path) -> Result<TempDir> {
    sweep();
    let start = format!("{START}{}-", std::process::id());
    let folder = tempfile::Builder::new()
        .prefix(&start)
        .tempdir()
        .writing(file)?;
    let copy = folder.path().join(COPY);
    fs::copy(file, &copy).reading(file)?;
    for end in ["-wal", "-journal"] {
        if beside(file, end).exists() {
            fs::copy(beside(file, end), beside(&copy, end)).reading(file)?;
        }
    }
    Ok(folder)
}

/// Removes the copies of programs that were killed while they read.
fn sweep() {
    for entry in fs::read_dir(std::env::temp_dir())
        .into_iter()
        .flatten()
        .flatten()
    {
        let name = entry.file_name();
        let process = name
            .to_str()
            .and_then(|it| it.strip_prefix(START)?.split_once('-')?.0.parse().ok());
        let is_copy = entry.path().join(COPY).is_file();
        if is_copy && process.is_some_and(|process| !is_alive(process)) {
            // It may be somebody else's, or gone.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn connect(file: &Path, access: &Access) -> rusqlite::Result<Connection> {
    let usual = OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let read_only = usual | OpenFlags::SQLITE_OPEN_READ_ONLY;
    let mut connection = match access {
        Access::Immutable => Connection::open_with_flags(address(file, "immutable=1"), read_only)?,
        Access::Shared => Connection::open_with_flags(address(file, "mode=ro"), read_only)?,
        Access::Copy(folder) => {
            // The changes in its log are put into it.
            let flags = usual | OpenFlags::SQLITE_OPEN_READ_WRITE;
            Connection::open_with_flags(folder.path().join(COPY), flags)?
        }
    };
    bound(&mut connection)?;
    // Whether it can be read shows only when something of it is.
    connection.query_row("SELECT count(*) FROM sqlite_master", [], |_| Ok(()))?;
    Ok(connection)
}

/// The longest value, in bytes, as of any part of a session.
const LONGEST_VALUE: i32 = 128 << 20;
/// Steps of SQLite's after which it asks whether to go on, and how often it may ask until it has the next row: to look
/// through a table of millions of rows takes a tenth of them.
const STEPS: i32 = 1 << 20;
const MOST_ASKED: u32 = 1 << 9;

thread_local! {
    /// How often SQLite has asked since the last row. A connection stays in its thread.
    static ASKED: Cell<u32> = const { Cell::new(0) };
}

/// A query goes on to its next row.
pub(super) fn next_row() {
    ASKED.set(0);
}

/// A database comes from anywhere: what its maker has put into it besides tables is not run, and no query goes on for
/// ever.
fn bound(connection: &mut Connection) -> rusqlite::Result<()> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, LONGEST_VALUE)?;
    next_row();
    let is_too_much = || {
        ASKED.set(ASKED.get() + 1);
        ASKED.get() > MOST_ASKED
    };
    connection.progress_handler(STEPS, Some(is_too_much))
}

/// A database's address, as SQLite reads it.
fn address(file: &Path, how: &str) -> String {
    let path = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    format!("file:{}?{how}", path_in_address(&path.to_string_lossy()))
}

#[cfg(test)]
mod tests;
