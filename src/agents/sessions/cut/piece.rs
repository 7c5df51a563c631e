//! A part of a file, and how long one may be.

use turnkeeper_base::json::Json;

use crate::sessions::input_error::InputError;
use crate::sessions::record::Unreadable;

/// A line, or another piece that has to be held whole, is not longer than this, in bytes. Tests have no such files.
pub(crate) const LONGEST: usize = if cfg!(test) { MB } else { 128 * MB };

const MB: usize = 1024 * 1024;

/// The reason for one that is.
pub(super) const TOO_LONG: &str = "is longer than 128 MB";

/// A part of a file.
#[derive(Debug)]
pub(crate) enum Cut<'a> {
    /// Bytes that are no value.
    Between(&'a [u8]),
    /// The bytes of a value.
    Value(&'a [u8], At<'a>),
    /// A value that is made of those before it.
    Made(Json<'static>, At<'a>),
    /// Bytes that are left out.
    Bad(&'a [u8], Unreadable),
    /// The file, which was taken for one value, is a value a line: here the second begins.
    AnotherLine,
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

/// The bytes that have come of a piece which goes on in the next chunk.
#[derive(Debug, Default)]
pub(super) struct Held {
    pub(super) bytes: Vec<u8>,
    /// Whether it is too long, so that nothing of it is held.
    pub(super) is_lost: bool,
}

impl Held {
    /// Keeps more of it; what is not kept is given out.
    pub(super) fn hold(&mut self, bytes: &[u8], take: &mut Take) -> Result<(), InputError> {
        if !self.is_lost && self.bytes.len() + bytes.len() > LONGEST {
            self.is_lost = true;
            take(Cut::Between(&self.bytes))?;
            self.bytes = Vec::new();
        }
        match self.is_lost {
            true => take(Cut::Between(bytes)),
            false => {
                self.bytes.extend_from_slice(bytes);
                Ok(())
            }
        }
    }
}

/// Takes the parts of a file; after an error nothing more is cut.
pub(crate) type Take<'a> = dyn FnMut(Cut) -> Result<(), InputError> + 'a;
