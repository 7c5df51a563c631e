//! Anything that can go wrong with a file, in words that name it.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use turnkeeper_agents::sessions::{InputError, InputFailure, SessionReader};
use turnkeeper_agents::watch::setup::settings::Unchangeable;

pub(crate) type Result<T> = std::result::Result<T, Problem>;

/// The reason why something could not be done with a file or a folder.
#[derive(Debug, Clone)]
pub(crate) struct Problem {
    pub(crate) file: PathBuf,
    pub(crate) why: String,
    /// The line, from 1; none if the whole file is meant.
    pub(crate) line: Option<u32>,
    pub(crate) kind: Kind,
}

/// The kinds of problems that are treated in different ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Something is wrong with the file.
    Bad,
    /// Nothing is wrong with the file, but it is no session.
    Unknown,
    /// Nothing is wrong with the file, but nothing has happened in the session.
    Empty,
    /// The system refuses it.
    Refused,
    /// The fault is this program's.
    Mistake,
}

impl Problem {
    pub(crate) fn new(file: &Path, why: impl Into<String>) -> Self {
        Problem {
            file: file.to_owned(),
            why: why.into(),
            line: None,
            kind: Kind::Bad,
        }
    }

    pub(crate) fn of_kind(self, kind: Kind) -> Self {
        Problem { kind, ..self }
    }

    pub(crate) fn at_line(self, line: Option<u32>) -> Self {
        Problem { line, ..self }
    }

    /// The part of a file that a reader could not read: a line or an element, counting from 1, or with 0 more than that.
    pub(crate) fn at_place(file: &Path, place: u32, reason: &str, reader: &SessionReader) -> Self {
        match reader.unit() {
            _ if place == 0 => Problem::new(file, reason),
            "line" => Problem::new(file, reason).at_line(Some(place)),
            unit => Problem::new(file, format!("{unit} {place}: it {reason}")),
        }
    }

    /// A file that cannot be changed without a risk for what is in it.
    pub(crate) fn left(file: &Path, why: impl fmt::Display) -> Self {
        Problem::new(file, format!("{why}; it stays as it is"))
    }

    /// Its words without the file's name.
    pub(crate) fn reason(&self) -> String {
        match self.line {
            Some(line) => format!("line {line}: {}", self.why),
            None => self.why.clone(),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.file == Path::new("-") {
            formatter.write_str("standard input")?;
        } else {
            write!(formatter, "{}", self.file.display())?;
        }
        match self.line {
            Some(line) => write!(formatter, ", line {line}: {}", self.why),
            None => write!(formatter, " {}", self.why),
        }
    }
}

/// The parts of a session that could not be read: the first of them, and how many there are.
#[derive(Debug)]
pub(crate) struct LeftOut<T = Problem> {
    pub(crate) first: Option<T>,
    pub(crate) count: u32,
}

impl<T> Default for LeftOut<T> {
    fn default() -> Self {
        Self {
            first: None,
            count: 0,
        }
    }
}

impl<T> LeftOut<T> {
    pub(crate) fn add(&mut self, part: impl FnOnce() -> T) {
        self.count += 1;
        self.first.get_or_insert_with(part);
    }
}

impl From<InputError> for Problem {
    fn from(error: InputError) -> Self {
        let kind = match error.kind {
            InputFailure::Broken => Kind::Bad,
            InputFailure::Unknown => Kind::Unknown,
            InputFailure::Empty => Kind::Empty,
        };
        Problem {
            file: error.file.into(),
            why: error.reason.into_owned(),
            line: error.line,
            kind,
        }
    }
}

/// Tells a failure of the system in plain words.
pub(crate) trait InFile<T> {
    fn reading(self, file: &Path) -> Result<T>;
    fn writing(self, file: &Path) -> Result<T>;
}

impl<T> InFile<T> for io::Result<T> {
    fn reading(self, file: &Path) -> Result<T> {
        self.map_err(|error| Problem::new(file, failure(&error, "read")).of_kind(Kind::Refused))
    }

    fn writing(self, file: &Path) -> Result<T> {
        self.map_err(|error| Problem::new(file, failure(&error, "written")).of_kind(Kind::Refused))
    }
}

fn failure(error: &io::Error, done: &str) -> String {
    match error.kind() {
        io::ErrorKind::NotFound if done == "read" => "does not exist".into(),
        io::ErrorKind::NotFound => "cannot be written: its folder does not exist".into(),
        io::ErrorKind::IsADirectory => "is a folder".into(),
        io::ErrorKind::PermissionDenied => format!("may not be {done}"),
        _ if is_loop(error) => "is a link that leads to itself".into(),
        _ => format!("cannot be {done} ({})", by_name(error)),
    }
}

/// A failure of the system by its name, where people know it.
pub(crate) fn by_name(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::StorageFull => "ENOSPC: no space left on device".to_owned(),
        io::ErrorKind::AlreadyExists => "EEXIST: file already exists".to_owned(),
        _ => error.to_string(),
    }
}

/// Whether links lead in a circle. The library has no stable name for it.
#[cfg(unix)]
fn is_loop(error: &io::Error) -> bool {
    error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error())
}

#[cfg(not(unix))]
fn is_loop(_error: &io::Error) -> bool {
    false
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
