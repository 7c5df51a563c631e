//! The place of a text in a history.

use serde::Serialize;

/// The place of a text that may give way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Place {
    /// The index of the message.
    pub index: u32,
    /// The index of the part; -1 if the content is a string.
    pub part: i32,
    /// The names and indexes that lead from the part to the text.
    pub keys: Vec<PlaceKey>,
    /// The beginning, in UTF-16 code units.
    pub start: u32,
    /// The end.
    pub end: u32,
}

#[cfg(test)]
impl Place {
    /// Any place in a message.
    pub(crate) fn of(index: u32) -> Self {
        Self {
            index,
            part: -1,
            keys: Vec::new(),
            start: 0,
            end: 0,
        }
    }
}

/// The name of a field, or an index in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(untagged)]
pub enum PlaceKey {
    /// The name of a field.
    Name(&'static str),
    /// An index in a list.
    Index(u32),
}

impl From<&'static str> for PlaceKey {
    fn from(name: &'static str) -> Self {
        Self::Name(name)
    }
}

/// The way in which a copy came into the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS, documented::DocumentedFields)
)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum CopySource {
    /// A tool read it.
    Read,
    /// The answer to an edit showed it, or a call wrote it.
    Edit,
    /// The user mentioned it.
    Mention,
}
