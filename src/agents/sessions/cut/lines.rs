//! Cuts a file into its lines, each with its line end.

use super::piece::{At, Cut, LONGEST, LeftOut, TOO_LONG, Take};
use crate::sessions::input_error::InputError;

/// Cuts a file into its lines. One that lies whole in a chunk is not copied.
#[derive(Debug, Default)]
pub(crate) struct LineCutter {
    /// The bytes that have come of the last line.
    held: Vec<u8>,
    /// Whether that line is too long, so that nothing of it is held.
    is_lost: bool,
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
        if rest.is_empty() {
            return Ok(());
        }
        if !self.is_lost && self.held.len() + rest.len() > LONGEST {
            self.is_lost = true;
            take(Cut::Between(&self.held))?;
            self.held = Vec::new();
        }
        match self.is_lost {
            true => take(Cut::Between(rest)),
            false => {
                self.held.extend_from_slice(rest);
                Ok(())
            }
        }
    }

    pub(super) fn end(&mut self, take: &mut Take) -> Result<(), InputError> {
        match self.held.is_empty() && !self.is_lost {
            true => Ok(()),
            false => self.line(b"", take),
        }
    }

    /// Gives out the line that ends with these bytes.
    fn line(&mut self, last: &[u8], take: &mut Take) -> Result<(), InputError> {
        self.number = self.number.saturating_add(1);
        let place = self.number;
        if std::mem::take(&mut self.is_lost) {
            let reason = TOO_LONG.into();
            return take(Cut::Bad(last, LeftOut { place, reason }));
        }
        if self.held.is_empty() {
            return take(Cut::Value(last, At::element(place)));
        }
        self.held.extend_from_slice(last);
        let taken = take(Cut::Value(&self.held, At::element(place)));
        self.held.clear();
        taken
    }
}
