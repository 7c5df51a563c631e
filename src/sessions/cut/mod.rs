//! Cuts a file's bytes, as they come, into its values and what is between them.

mod json;
mod lines;
pub(crate) mod markdown;
pub(crate) mod salvage;

use std::borrow::Cow;

use turnkeeper_base::json::Json;

use self::json::JsonCutter;
use self::lines::LineCutter;
use self::markdown::MarkdownCutter;
use crate::container::Container;
use crate::input_error::InputError;

/// A line, or another piece that has to be held whole, is not longer than this, in bytes.
pub(crate) const LONGEST: usize = 128 * 1024 * 1024;

/// The reason for one that is.
const TOO_LONG: &str = "is longer than 128 MB";

/// A part of a file.
#[derive(Debug)]
pub(crate) enum Cut<'a> {
    /// Bytes that are no value.
    Between(&'a [u8]),
    /// The bytes of a value.
    Value(&'a [u8], At<'a>),
    /// A value that is made of what came before.
    Made(Json<'static>, At<'a>),
    /// Bytes that are left out.
    Bad(&'a [u8], LeftOut),
}

/// Why bytes are left out.
#[derive(Debug, Clone)]
pub(crate) struct LeftOut {
    /// The line or the element, from 1; 0 if the file is meant.
    pub(crate) place: u32,
    pub(crate) reason: Cow<'static, str>,
}

/// The place of a value in its file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct At<'a> {
    /// The key of the object's property that the value is, or is an element of.
    pub(crate) key: Option<&'a str>,
    /// The line, or the element of the array, from 1.
    pub(crate) place: u32,
    /// Whether it is a line, or an element of an array, and no property beside it.
    pub(crate) is_element: bool,
}

impl At<'static> {
    /// The place of a line, or of an element of an array that is the file.
    pub(crate) fn element(place: u32) -> Self {
        Self {
            key: None,
            place,
            is_element: true,
        }
    }
}

/// Takes the parts of a file; after an error nothing more is cut.
pub(crate) type Take<'a> = dyn FnMut(Cut) -> Result<(), InputError> + 'a;

/// Cuts a file; all parts, one after the other, are the file.
#[derive(Debug)]
pub(crate) enum Cutter {
    Lines(LineCutter),
    Json(JsonCutter),
    Markdown(MarkdownCutter),
}

impl Cutter {
    /// Of a file that is built so.
    pub(crate) fn new(container: Container) -> Self {
        match container {
            Container::Lines => Self::Lines(LineCutter::default()),
            Container::Array | Container::Object => Self::Json(JsonCutter::default()),
            Container::Markdown => Self::Markdown(MarkdownCutter::default()),
        }
    }

    /// The parts that end in the next bytes.
    pub(crate) fn push(&mut self, chunk: &[u8], take: &mut Take) -> Result<(), InputError> {
        match self {
            Self::Lines(cutter) => cutter.push(chunk, take),
            Self::Json(cutter) => cutter.push(chunk, take),
            Self::Markdown(cutter) => cutter.push(chunk, take),
        }
    }

    /// The parts that the end of the file ends.
    pub(crate) fn end(&mut self, take: &mut Take) -> Result<(), InputError> {
        match self {
            Self::Lines(cutter) => cutter.end(take),
            Self::Json(cutter) => cutter.end(take),
            Self::Markdown(cutter) => cutter.end(take),
        }
    }
}
