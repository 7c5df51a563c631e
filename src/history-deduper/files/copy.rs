//! One copy of a file, and which others it makes give way.

use turnkeeper_base::text::Size;

use super::super::reading::{CopySource, Place};
use super::super::superseded::{FILE_NOTICE, Superseded, SupersededKind};
use super::lines::{Lines, Named};

/// Longer texts, in UTF-16 code units, are no refusals.
const LONGEST_REFUSAL: u32 = 1_000;
/// The way in which a file's content got into the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CopyKind {
    /// As a text: what a tool read, what the answer to an edit shows, or what the user mentions.
    Shown,
    /// As the argument of a call that wrote the whole file. It supersedes older copies like any other,
    /// and stays itself unless `writes` is set.
    Written,
}

/// The mark of a text that is a file's content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CopyForm {
    /// A host's own frame around the file, which says where it begins and ends: an edit's answer, a list
    /// of files.
    Framed,
    /// Nothing but that a tool was to read it. Whatever else the tool may have said instead, in whatever
    /// words, is no file.
    Plain,
    /// Nothing but that a command was to print it. What a terminal shows often differs from the file.
    Printed,
}

/// The extent of the file that a copy has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// All of it.
    Complete,
    /// Lines of it, counted from 1, with the last one.
    Lines {
        /// The first line.
        first: u32,
        /// The last line.
        last: u32,
    },
    /// A part of it, and nobody knows which.
    Unknown,
}

impl Extent {
    /// Whether a copy of this extent has all that a copy of the other one has, of an equal file.
    pub(super) fn covers(self, other: Self) -> bool {
        match (self, other) {
            (Self::Complete, _) => true,
            (
                Self::Lines { first, last },
                Self::Lines {
                    first: other_first,
                    last: other_last,
                },
            ) => first <= other_first && other_last <= last,
            _ => false,
        }
    }
}

/// A copy of a file in a history. Copies come in the order of the history.
#[derive(Debug, Clone)]
pub(crate) struct FileCopy {
    /// The number of its path, from [`FileCopies::path_number`](super::FileCopies::path_number).
    pub(crate) path: u32,
    /// The index of its message in the history.
    pub(crate) index: u32,
    /// Its place, if it may give way.
    pub(crate) place: Option<Place>,
    /// The way in which it came into the history.
    pub(crate) from: CopySource,
    /// The form that it has there.
    pub(crate) kind: CopyKind,
    /// The part of the file that it has.
    pub(crate) extent: Extent,
    /// The mark by which it is known.
    pub(crate) form: CopyForm,
    /// The size of its text.
    pub(crate) size: Size,
    /// Its lines, as long as it may supersede others or be superseded.
    pub(crate) lines: Lines,
}

impl FileCopy {
    /// A text that is a complete copy of a file, certainly.
    pub(crate) fn new(path: u32, index: u32, text: &str) -> Self {
        Self {
            path,
            index,
            place: None,
            from: CopySource::Read,
            kind: CopyKind::Shown,
            extent: Extent::Complete,
            form: CopyForm::Framed,
            size: Size::of_text(text),
            lines: Lines::of(text),
        }
    }

    /// Whether an older copy of the same file may go, since this one has what was in it, or what edits
    /// made of that. `edited` are the lines of the edits in between; `was_edited` if there was one, also of
    /// one whose lines are not known.
    ///
    /// A text may be an error, an outline or a preview, in words that no list knows. So it has to have the
    /// older one's lines, or to be like it and no shorter, but for what edits name, and end as it does. After
    /// an edit, one that a frame or numbers mark may be another text.
    pub(super) fn supersedes(&self, older: &Self, was_edited: bool, edited: &Named) -> bool {
        if self.form == CopyForm::Printed && older.form != CopyForm::Printed {
            return false;
        }
        let (own, others) = (&self.lines, &older.lines);
        // Nothing is left to be compared where edits name most of it.
        let can_compare = 2 * others.count_named(edited) <= others.count();
        if can_compare && own.have_end_of(others) && own.continue_from(others, edited) {
            return true;
        }
        if older.may_be_refusal() {
            return false;
        }
        if was_edited && self.form == CopyForm::Framed {
            return true;
        }
        if own.are_fewer(others, edited) {
            return false;
        }
        if was_edited && self.form == CopyForm::Plain && own.are_numbered {
            return true;
        }
        can_compare && own.have_end_of(others) && own.are_like(others, edited)
    }

    /// The copy at that path as one that gives way to a line, unless it is no longer than that.
    pub(super) fn superseded_by(&self, newest: u32, path: &str) -> Option<Superseded> {
        let kind = match self.kind {
            CopyKind::Shown => SupersededKind::File,
            CopyKind::Written => SupersededKind::Write,
        };
        let part = match self.extent {
            Extent::Complete => String::new(),
            Extent::Lines { first, last } => format!("lines {first} to {last} of "),
            Extent::Unknown => "a part of ".to_owned(),
        };
        let units = self.size.units;
        let shown = path.replace(char::is_control, " ");
        let notice = format!(
            "{FILE_NOTICE}{part}{shown}, {units} characters, stood here; the newest is in message {newest}.]"
        );
        Some(Superseded {
            from: Some(self.from),
            path: path.to_owned(),
            newest,
            ..Superseded::new(kind, self.place.as_ref()?, self.size, notice)?
        })
    }

    /// Whether it is so short that it may be a refusal in words that nobody knows.
    fn may_be_refusal(&self) -> bool {
        self.form != CopyForm::Framed
            && self.size.units <= LONGEST_REFUSAL
            && self.lines.count() <= 1
    }
}
