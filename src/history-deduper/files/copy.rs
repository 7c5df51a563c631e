//! One copy of a file.

use turnkeeper_base::text::Size;

/// How a file's content got into the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CopyKind {
    /// As a text: what a tool read, what the answer to an edit shows, or what the user mentions.
    Shown,
    /// As the argument of a call that wrote the whole file. It supersedes older copies like any other,
    /// and stays itself unless `writes` is set.
    Written,
}

/// How much of the file a copy has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Extent {
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
#[derive(Debug, Clone, Copy)]
pub struct FileCopy {
    /// The number of its path, from [`HistoryDeduper::path_number`](crate::HistoryDeduper::path_number).
    pub path: u32,
    /// The index of its message in the history.
    pub index: u32,
    /// How it got there.
    pub kind: CopyKind,
    /// How much of the file it has.
    pub extent: Extent,
    /// Whether it is known to be a file's content. Else a short text may be a refusal that does not
    /// say so, and supersedes no copy of more than twice its length.
    pub is_certain: bool,
    /// How much text it is.
    pub(crate) size: Size,
}

impl FileCopy {
    /// A text that is a complete copy of a file, certainly.
    pub fn shown(path: u32, index: u32, text: &str) -> Self {
        let units: Vec<u16> = text.encode_utf16().collect();
        Self {
            path,
            index,
            kind: CopyKind::Shown,
            extent: Extent::Complete,
            is_certain: true,
            size: Size::of(&units),
        }
    }
}
