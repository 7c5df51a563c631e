//! References: to a file, a tool, an image, and directives, which are told with them.

use serde::Serialize;

use super::super::json::Json;

/// The kind of a reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS, documented::DocumentedFields)
)]
#[serde(rename_all = "lowercase")]
pub enum ReferenceKind {
    /// A file, lines of one, or a folder.
    File,
    /// A tool call.
    Tool,
    /// An image.
    Image,
    /// A directive.
    Macro,
}

/// A reference or a directive in a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct Reference {
    /// The kind of thing that it refers to.
    pub kind: ReferenceKind,
    /// Its beginning, in UTF-16 code units.
    pub start: usize,
    /// Its end: the offset of the first UTF-16 code unit after it.
    pub end: usize,
    /// The path of a file or an image, as it is written in the prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The first line, counting from 1. If it is there, so is `endLine`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_line: Option<u32>,
    /// The last line, included. For a single line it is equal to `startLine`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_line: Option<u32>,
    /// The name of the tool or the macro.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// A tool's arguments.
    #[serde(skip)]
    pub(crate) args: Option<Json>,
    /// The end of the text in an image's brackets.
    #[serde(skip)]
    pub(crate) alt_end: usize,
}

impl Reference {
    pub(crate) fn new(kind: ReferenceKind, start: usize, end: usize) -> Self {
        Self {
            kind,
            start,
            end,
            path: None,
            start_line: None,
            end_line: None,
            name: None,
            args: None,
            alt_end: end,
        }
    }
}
