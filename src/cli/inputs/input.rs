//! A session that is read.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use super::database::Database;

/// A session to be read.
#[derive(Debug, Clone)]
pub(crate) struct Input {
    /// The place of it, as it was named, or below the folder that was named.
    pub(crate) file: PathBuf,
    /// Whether it was found in a folder, and not named itself.
    pub(crate) is_found: bool,
    /// The files of a session that is kept in several, as OpenHands and opencode do: each a value, in their order.
    pub(crate) parts: Option<Vec<PathBuf>>,
    /// The agent in whose folder it was found.
    pub(crate) agent: Option<&'static str>,
    /// The row of a database.
    pub(crate) row: Option<Row>,
}

/// A session in a database.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    pub(crate) database: Database,
    pub(crate) session: String,
    /// Its share of the database's bytes, about.
    pub(crate) bytes: u64,
}

impl Input {
    pub(crate) fn named(file: impl Into<PathBuf>) -> Self {
        Input {
            file: file.into(),
            is_found: false,
            parts: None,
            agent: None,
            row: None,
        }
    }

    pub(crate) fn found(file: PathBuf) -> Self {
        Input {
            is_found: true,
            ..Input::named(file)
        }
    }

    pub(crate) fn is_standard_input(&self) -> bool {
        self.row.is_none() && self.file == Path::new("-")
    }

    /// Its bytes, as far as the system tells; nothing of what cannot be read.
    pub(crate) fn size(&self) -> u64 {
        let size = |file: &PathBuf| fs::metadata(file).map_or(0, |found| found.len());
        match (&self.parts, &self.row) {
            (Some(parts), _) => parts.iter().map(size).sum(),
            (None, Some(row)) => row.bytes,
            (None, None) => size(&self.file),
        }
    }

    /// The time when it was written last, in milliseconds since 1970; none of standard input and of a database's row.
    pub(crate) fn written(&self) -> Option<f64> {
        if self.row.is_some() || self.is_standard_input() {
            return None;
        }
        let parts = self.parts.as_ref();
        written_at(parts.and_then(|parts| parts.last()).unwrap_or(&self.file))
    }
}

/// The time when a file was written last, in milliseconds since 1970.
pub(crate) fn written_at(file: &Path) -> Option<f64> {
    let modified: SystemTime = fs::metadata(file).ok()?.modified().ok()?;
    Some(match modified.duration_since(UNIX_EPOCH) {
        Ok(after) => after.as_secs_f64() * 1e3,
        Err(before) => -before.duration().as_secs_f64() * 1e3,
    })
}
