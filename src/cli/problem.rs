//! Anything that can go wrong with a file, in words that name it.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use turnkeeper_watch::setup::settings::Unchangeable;

pub(crate) type Result<T> = std::result::Result<T, Problem>;

/// The reason why something could not be done with a file or a folder.
#[derive(Debug)]
pub(crate) struct Problem {
    file: PathBuf,
    why: String,
}

impl Problem {
    pub(crate) fn new(file: &Path, why: impl Into<String>) -> Self {
        Problem {
            file: file.to_owned(),
            why: why.into(),
        }
    }

    /// A file that cannot be changed without a risk for what is in it.
    pub(crate) fn left(file: &Path, why: impl fmt::Display) -> Self {
        Problem::new(file, format!("{why}; it stays as it is"))
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.file.display(), self.why)
    }
}

/// Tells a failure of the system in plain words.
pub(crate) trait InFile<T> {
    fn reading(self, file: &Path) -> Result<T>;
    fn writing(self, file: &Path) -> Result<T>;
}

impl<T> InFile<T> for io::Result<T> {
    fn reading(self, file: &Path) -> Result<T> {
        self.map_err(|error| Problem::new(file, failure(&error, "read")))
    }

    fn writing(self, file: &Path) -> Result<T> {
        self.map_err(|error| Problem::new(file, failure(&error, "written")))
    }
}

fn failure(error: &io::Error, done: &str) -> String {
    match error.kind() {
        io::ErrorKind::NotFound if done == "read" => "does not exist".into(),
        io::ErrorKind::NotFound => "cannot be written: its folder does not exist".into(),
        io::ErrorKind::IsADirectory => "is a folder".into(),
        io::ErrorKind::PermissionDenied => format!("may not be {done}"),
        _ => format!("cannot be {done} ({error})"),
    }
}

/// Names the file that cannot be changed.
impl<T> InFile<T> for std::result::Result<T, Unchangeable> {
    fn reading(self, file: &Path) -> Result<T> {
        self.map_err(|why| Problem::new(file, why.to_string()))
    }

    fn writing(self, file: &Path) -> Result<T> {
        self.reading(file)
    }
}
