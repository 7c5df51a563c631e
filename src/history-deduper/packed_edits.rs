//! Edits as numbers, in which they cross to JavaScript: a message is repaired as often as one is added to a history.

use serde::{Serialize, Serializer};

use crate::edits::{PartChange, PartEdit, TextRanges};

/// The fate of a part, in [packed edits](packed).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EditKind {
    /// The part's text becomes the ranges.
    Rewrite,
    /// The part goes.
    Remove,
    /// The part goes to the end of the message as it is.
    MoveToEnd,
    /// The part goes to the end of the message, and its text becomes the ranges.
    RewriteAndMoveToEnd,
    /// The ranges are a new text part at the end of the message.
    AppendText,
}

/// The same where edits are a field of what crosses.
pub(super) fn serialize<S: Serializer>(edits: &[PartEdit], to: S) -> Result<S::Ok, S::Error> {
    packed(edits).serialize(to)
}

/// The edits of a message as numbers: how many there are, and for each its part, its [`EditKind`], how many
/// ranges it has, and where each of these begins and ends.
pub fn packed(edits: &[PartEdit]) -> Vec<u32> {
    let mut numbers = vec![edits.len() as u32];
    for PartEdit { part, change } in edits {
        let (kind, ranges) = match change {
            PartChange::Rewrite { text } => (EditKind::Rewrite, Some(text)),
            PartChange::Remove => (EditKind::Remove, None),
            PartChange::MoveToEnd { text: None } => (EditKind::MoveToEnd, None),
            PartChange::MoveToEnd { text } => (EditKind::RewriteAndMoveToEnd, text.as_ref()),
            PartChange::AppendText { text } => (EditKind::AppendText, Some(text)),
        };
        let ranges = ranges.map_or(&[][..], |TextRanges(ranges)| ranges);
        numbers.extend([*part, kind as u32, ranges.len() as u32]);
        for range in ranges {
            numbers.extend([range.start as u32, range.end as u32]);
        }
    }
    numbers
}
