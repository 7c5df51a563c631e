//! Contents of files that a history holds several times, and which of them are superseded.
//!
//! A file's content enters a history when a tool reads it, when the answer to an edit shows it, when
//! the user mentions it, and as the argument of a call that writes it. Each time is a [`FileCopy`].
//! [`reading`](super::reading) recognises them; here is decided which of them a newer copy supersedes. The promise:
//!
//! - the newest complete copy of every file stays, and what may be none supersedes none: a copy counts as
//!   one by its frame, by numbers of lines that run on, or by its likeness to the older copy;
//! - a range of lines is superseded only by a complete copy, or by the same or a wider range while
//!   nothing is known to have edited the file in between;
//! - what was copied before its file was moved or copied elsewhere is superseded by nothing that comes
//!   after, for it may be the only copy of what has another name now.

mod copies;
mod copy;
mod lines;
mod moves;
mod paths;
mod results;

pub(super) use self::copies::FileCopies;
pub(super) use self::copy::{CopyForm, CopyKind, Extent, FileCopy};
pub(super) use self::lines::Lines;
pub(super) use self::results::RepeatedResults;
