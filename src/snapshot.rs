//! Snapshots: versioned bytes with a checksum, the same on every platform.
//!
//! `TKS`, the machine's letter, the version, the payload, and eight bytes of checksum over all
//! before. Numbers are LEB128, so nothing depends on word size or byte order. A reader trusts
//! nothing: a checksum keeps accidents out, not malice, so every machine checks what it reads.

use turnkeeper_kernels::units_from_le_bytes;

use crate::error::{Error, ErrorCode};
use crate::hash::fingerprint;

const MAGIC: &[u8; 3] = b"TKS";
const CHECKSUM: usize = 8;

/// Which machine wrote a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Format {
    pub(crate) machine: &'static str,
    pub(crate) letter: u8,
    pub(crate) version: u8,
}

/// The bytes did not hold what they had to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Corrupt;

/// Writes a snapshot.
pub(crate) struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    pub(crate) fn new(format: Format) -> Self {
        let [a, b, c] = *MAGIC;
        Self {
            bytes: vec![a, b, c, format.letter, format.version],
        }
    }

    pub(crate) fn finish(mut self) -> Vec<u8> {
        let checksum = fingerprint(&self.bytes);
        self.bytes.extend_from_slice(&checksum.to_le_bytes());
        self.bytes
    }

    pub(crate) fn number(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push((value as u8) | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    pub(crate) fn length(&mut self, value: usize) {
        self.number(value as u64);
    }

    pub(crate) fn flag(&mut self, value: bool) {
        self.bytes.push(u8::from(value));
    }

    pub(crate) fn text(&mut self, value: &str) {
        self.bytes(value.as_bytes());
    }

    pub(crate) fn bytes(&mut self, value: &[u8]) {
        self.length(value.len());
        self.bytes.extend_from_slice(value);
    }

    /// Bytes that need no length, since nothing follows.
    #[cfg(target_family = "wasm")]
    pub(crate) fn raw(&mut self, value: &[u8]) {
        self.bytes.extend_from_slice(value);
    }

    pub(crate) fn units(&mut self, value: &[u16]) {
        self.length(value.len());
        for unit in value {
            self.bytes.extend_from_slice(&unit.to_le_bytes());
        }
    }
}

/// Reads a snapshot's payload.
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Checks the envelope and hands out the payload.
    pub(crate) fn open(format: Format, bytes: &'a [u8]) -> Result<Self, Error> {
        let refuse = |code, message: &str| Err(Error::new(code, format.machine, message));
        let corrupt = "the snapshot is cut, altered or not a snapshot";
        let header = MAGIC.len() + 2;
        if bytes.len() < header + CHECKSUM || !bytes.starts_with(MAGIC) {
            return refuse(ErrorCode::SnapshotCorrupt, corrupt);
        }
        let (body, checksum) = bytes.split_at(bytes.len() - CHECKSUM);
        if fingerprint(body).to_le_bytes() != checksum {
            return refuse(ErrorCode::SnapshotCorrupt, corrupt);
        }
        if body[3] != format.letter {
            return refuse(
                ErrorCode::WrongMachine,
                "the snapshot belongs to another machine",
            );
        }
        if body[4] > format.version || body[4] == 0 {
            let message = "the snapshot was written by a newer version of turnkeeper";
            return refuse(ErrorCode::SnapshotVersion, message);
        }
        Ok(Self {
            bytes: &body[header..],
        })
    }

    /// All that was not read yet.
    #[cfg(target_family = "wasm")]
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.bytes
    }

    pub(crate) fn number(&mut self) -> Result<u64, Corrupt> {
        let mut value = 0u64;
        let mut shift = 0;
        while shift < 64 {
            let byte = self.byte()?;
            let low = u64::from(byte & 0x7f);
            if shift == 63 && low > 1 {
                return Err(Corrupt);
            }
            value |= low << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
            shift += 7;
        }
        Err(Corrupt)
    }

    /// A number of at most `limit`.
    pub(crate) fn number_to(&mut self, limit: u64) -> Result<u64, Corrupt> {
        let value = self.number()?;
        if value <= limit {
            Ok(value)
        } else {
            Err(Corrupt)
        }
    }

    /// A length of at most `limit`, and no longer than the bytes that are left.
    pub(crate) fn length(&mut self, limit: usize) -> Result<usize, Corrupt> {
        let limit = limit.min(self.bytes.len());
        Ok(self.number_to(limit as u64)? as usize)
    }

    pub(crate) fn flag(&mut self) -> Result<bool, Corrupt> {
        match self.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Corrupt),
        }
    }

    pub(crate) fn bytes(&mut self) -> Result<&'a [u8], Corrupt> {
        let length = self.length(usize::MAX)?;
        self.take(length)
    }

    pub(crate) fn text(&mut self) -> Result<&'a str, Corrupt> {
        std::str::from_utf8(self.bytes()?).map_err(|_| Corrupt)
    }

    pub(crate) fn units(&mut self, limit: usize) -> Result<Vec<u16>, Corrupt> {
        let length = self.length(limit)?;
        let bytes = self.take(length.checked_mul(2).ok_or(Corrupt)?)?;
        Ok(units_from_le_bytes(bytes))
    }

    /// Nothing may follow the last field.
    pub(crate) fn end(&self) -> Result<(), Corrupt> {
        if self.bytes.is_empty() {
            Ok(())
        } else {
            Err(Corrupt)
        }
    }

    fn byte(&mut self) -> Result<u8, Corrupt> {
        Ok(self.take(1)?[0])
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8], Corrupt> {
        let (taken, rest) = self.bytes.split_at_checked(length).ok_or(Corrupt)?;
        self.bytes = rest;
        Ok(taken)
    }
}

/// A snapshot on its way out or in. A machine names its fields once, for both ways, so the two
/// cannot drift apart.
///
/// What does not fit is not taken over, nor is anything behind it; [`Codec::end`] tells.
pub(crate) enum Codec<'a> {
    Save(Writer),
    Load(Reader<'a>),
    Corrupt,
}

impl Codec<'_> {
    fn load<T>(&mut self, read: impl FnOnce(&mut Reader) -> Result<T, Corrupt>) -> Option<T> {
        let Self::Load(from) = self else { return None };
        let read = read(from);
        if read.is_err() {
            *self = Self::Corrupt;
        }
        read.ok()
    }

    /// A number of at most `limit`.
    #[inline(never)]
    pub(crate) fn number(&mut self, value: &mut u64, limit: u64) {
        if let Self::Save(to) = self {
            to.number(*value);
        } else if let Some(read) = self.load(|from| from.number_to(limit)) {
            *value = read;
        }
    }

    /// A number that goes up by one at a time: at most what no conversation reaches, so that
    /// counting on cannot overflow.
    pub(crate) fn count(&mut self, value: &mut u64) {
        self.number(value, u64::MAX >> 8);
    }

    pub(crate) fn flag(&mut self, value: &mut bool) {
        let mut number = u64::from(*value);
        self.number(&mut number, 1);
        *value = number == 1;
    }

    /// One of `all`.
    pub(crate) fn choice<T: Copy + PartialEq>(&mut self, value: &mut T, all: &[T]) {
        let mut place = 0;
        while place + 1 < all.len() && all[place] != *value {
            place += 1;
        }
        let mut number = place as u64;
        self.number(&mut number, all.len() as u64 - 1);
        *value = all[number as usize];
    }

    #[inline(never)]
    pub(crate) fn text(&mut self, value: &mut String) {
        if let Self::Save(to) = self {
            to.text(value);
        } else if let Some(read) = self.load(|from| from.text().map(str::to_owned)) {
            *value = read;
        }
    }

    /// A text or none.
    pub(crate) fn some_text(&mut self, value: &mut Option<String>) {
        let mut is_some = value.is_some();
        self.flag(&mut is_some);
        if is_some {
            self.text(value.get_or_insert_default());
        }
    }

    /// At most `limit` units.
    pub(crate) fn units(&mut self, value: &mut Vec<u16>, limit: usize) {
        if let Self::Save(to) = self {
            to.units(value);
        } else if let Some(read) = self.load(|from| from.units(limit)) {
            *value = read;
        }
    }

    /// The number of a list's items, which are to follow: as many as `items` has, or has then.
    pub(crate) fn items<T: Clone + Default>(&mut self, items: &mut Vec<T>, limit: usize) {
        let length = self.length(items.len(), limit);
        items.truncate(length);
        while items.len() < length {
            items.push(T::default());
        }
    }

    /// The length of a list, at most `limit` and the bytes that are left.
    fn length(&mut self, length: usize, limit: usize) -> usize {
        if let Self::Save(to) = self {
            to.length(length);
        }
        let read = self.load(|from| from.length(limit));
        read.unwrap_or(length)
    }

    /// At most `limit` numbers.
    pub(crate) fn numbers(&mut self, values: &mut Vec<u64>, limit: usize) {
        self.items(values, limit);
        for value in values {
            self.number(value, u64::MAX);
        }
    }

    /// A list of any length. Its items are added one by one as they are read, so that no length
    /// takes more memory than there are bytes for.
    pub(crate) fn list<T: Default>(
        &mut self,
        items: &mut Vec<T>,
        mut each: impl FnMut(&mut T, &mut Self),
    ) {
        let mut length = items.len() as u64;
        self.count(&mut length);
        for place in 0..length as usize {
            if matches!(self, Self::Corrupt) {
                return;
            }
            if place == items.len() {
                items.push(T::default());
            }
            if let Some(item) = items.get_mut(place) {
                each(item, self);
            }
        }
    }

    /// What has to hold of what was read.
    #[inline(never)]
    pub(crate) fn check(&mut self, is_right: bool) {
        if !is_right {
            *self = Self::Corrupt;
        }
    }

    /// What was written; nothing may follow what was read.
    pub(crate) fn end(self) -> Result<Vec<u8>, Corrupt> {
        match self {
            Self::Save(to) => Ok(to.finish()),
            Self::Load(from) => from.end().map(|()| Vec::new()),
            Self::Corrupt => Err(Corrupt),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORMAT: Format = Format {
        machine: "test",
        letter: b't',
        version: 2,
    };

    fn sample() -> Vec<u8> {
        let mut writer = Writer::new(FORMAT);
        writer.number(u64::MAX);
        writer.flag(true);
        writer.text("中");
        writer.units(&[0xd800, 1]);
        writer.finish()
    }

    #[test]
    fn what_was_written_is_read() {
        let bytes = sample();
        let mut reader = Reader::open(FORMAT, &bytes).expect("just written");
        assert_eq!(reader.number(), Ok(u64::MAX));
        assert_eq!(reader.flag(), Ok(true));
        assert_eq!(reader.text(), Ok("中"));
        assert_eq!(reader.units(2), Ok(vec![0xd800, 1]));
        assert_eq!(reader.end(), Ok(()));
    }

    #[test]
    fn every_cut_and_every_changed_bit_is_noticed() {
        let bytes = sample();
        for cut in 0..bytes.len() {
            let error = Reader::open(FORMAT, &bytes[..cut]).err().expect("cut");
            assert_eq!(error.code(), ErrorCode::SnapshotCorrupt);
        }
        for bit in 0..bytes.len() * 8 {
            let mut altered = bytes.clone();
            altered[bit / 8] ^= 1 << (bit % 8);
            let error = Reader::open(FORMAT, &altered).err().expect("altered");
            assert_eq!(error.code(), ErrorCode::SnapshotCorrupt);
        }
    }

    #[test]
    fn older_versions_are_read_newer_ones_and_other_machines_are_not() {
        let written = |format| Writer::new(format).finish();
        let read = |bytes: &[u8]| Reader::open(FORMAT, bytes).err().map(|error| error.code());
        assert_eq!(
            read(&written(Format {
                version: 1,
                ..FORMAT
            })),
            None
        );
        assert_eq!(
            read(&written(Format {
                version: 3,
                ..FORMAT
            })),
            Some(ErrorCode::SnapshotVersion)
        );
        assert_eq!(
            read(&written(Format {
                letter: b'x',
                ..FORMAT
            })),
            Some(ErrorCode::WrongMachine)
        );
    }
}
