//! Cuts a file into its lines, each with its line end.

use super::piece::{At, Cut, Held, TOO_LONG, Take};
use crate::sessions::input_error::InputError;
use crate::sessions::record::Unreadable;

/// Cuts a file into its lines. One that lies whole in a chunk is not copied.
#[derive(Debug, Default)]
pub(crate) struct LineCutter {
    /// The last line, as far as it has come.
    held: Held,
    number: u32,
}

impl LineCutter {
    pub(super) fn push(&mut self, chunk: &[u8], take: &mut Take) -> Result<(), InputError> {
        let mut rest = chunk;
        while let Some(end) = memchr::memchr(b'\n', rest) {
            let (line, after) = rest.split_at(end + 1);
            rest = after;
            self.line(line, take)?;
        }
        match rest.is_empty() {
            true => Ok(()),
            false => self.held.hold(rest, take),
        }
    }

    pub(super) fn end(&mut self, take: &mut Take) -> Result<(), InputError> {
        match self.held.bytes.is_empty() && !self.held.is_lost {
            true => Ok(()),
            false => self.line(b"", take),
        }
    }

    /// Gives out the line that ends with these bytes.
    fn line(&mut self, last: &[u8], take: &mut Take) -> Result<(), InputError> {
        self.number = self.number.saturating_add(1);
        let place = self.number;
        if std::mem::take(&mut self.held.is_lost) {
            let reason = TOO_LONG.into();
            return take(Cut::Bad(last, Unreadable { place, reason }));
        }
        let line = &mut self.held.bytes;
        if line.is_empty() {
            return take(Cut::Value(last, At::element(place)));
        }
        line.extend_from_slice(last);
        let taken = take(Cut::Value(line, At::element(place)));
        line.clear();
        taken
    }
}
