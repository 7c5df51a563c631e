//! What a reference is.

use serde::Serialize;

use super::super::json::Json;

/// What a reference refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS, documented::DocumentedFields),
    ts(rename_all = "lowercase")
)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
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
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(optional_fields, rename_all = "camelCase")
)]
#[non_exhaustive]
pub struct Reference {
    /// What it refers to.
    pub kind: ReferenceKind,
    /// Where it begins, in UTF-16 code units.
    pub start: usize,
    /// Where it ends: the offset of the first UTF-16 code unit after it.
    pub end: usize,
    /// The path of a file or an image, as it is written in the prompt.
    pub path: Option<String>,
    /// The first line, counting from 1. If it is there, so is `endLine`.
    pub start_line: Option<u32>,
    /// The last line, included. For a single line it is equal to `startLine`.
    pub end_line: Option<u32>,
    /// The name of the tool or the macro.
    pub name: Option<String>,
    /// A tool's arguments.
    #[cfg_attr(feature = "typescript", ts(skip))]
    pub(crate) args: Option<Json>,
    /// Where the text in an image's brackets ends.
    #[cfg_attr(feature = "typescript", ts(skip))]
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
