//! Values in the encoding, read in place.

use super::tag;
use turnkeeper_base::text::may_hold_time;

/// A value of an encoding, and perhaps more after it.
#[derive(Clone, Copy, Default)]
pub struct Encoded<'a>(pub &'a [u8]);

impl<'a> Encoded<'a> {
    /// The first byte, 0 of nothing.
    pub fn tag(self) -> u8 {
        self.0.first().copied().unwrap_or(0)
    }

    /// Everything after the first byte.
    pub fn inner(self) -> Encoded<'a> {
        Encoded(self.0.get(1..).unwrap_or_default())
    }

    /// A number's digits.
    pub fn digits(self) -> Units<'a> {
        Units {
            wide: false,
            bytes: self.0.get(2..).unwrap_or_default(),
        }
    }

    /// The first value, if there is one, and what comes after it.
    pub fn split(self) -> (Encoded<'a>, Encoded<'a>) {
        let mut reader = Reader {
            bytes: self.0,
            at: 0,
        };
        let length = reader.skip().map_or(0, |()| reader.at);
        let (first, rest) = self.0.split_at(length);
        (Encoded(first), Encoded(rest))
    }

    /// The value of an object's key, or of nothing.
    pub fn field(self, name: &str) -> Encoded<'a> {
        let named = self.fields().find(|(key, _)| key.units().is(name));
        named.map_or(Encoded(&[]), |(_, value)| value)
    }

    /// The keys of an object and their values; none of anything else.
    pub fn fields(self) -> impl Iterator<Item = (Encoded<'a>, Encoded<'a>)> {
        let mut rest = Encoded(self.0.strip_prefix(&[tag::OBJECT]).unwrap_or_default());
        std::iter::from_fn(move || {
            let (key, after) = rest.split();
            let (value, after) = after.split();
            rest = after;
            (!value.0.is_empty()).then_some((key, value))
        })
    }

    /// The values of an array; none of anything else.
    pub fn items(self) -> impl Iterator<Item = Encoded<'a>> {
        let mut rest = Encoded(self.0.strip_prefix(&[tag::ARRAY]).unwrap_or_default());
        std::iter::from_fn(move || {
            let (item, after) = rest.split();
            rest = after;
            (!item.0.is_empty()).then_some(item)
        })
    }

    /// A string's units; none of anything else.
    pub fn units(self) -> Units<'a> {
        match self.tag() {
            tag::ASCII | tag::WIDE => string(self.0).unwrap_or_default(),
            _ => Units::default(),
        }
    }
}

/// The units of the string that the bytes begin with, whose tag says how wide they are.
fn string(bytes: &[u8]) -> Option<Units<'_>> {
    let (&[tag, ref length @ ..], rest) = bytes.split_first_chunk::<STRING_HEADER>()?;
    let wide = tag == tag::WIDE;
    let length = u32::from_le_bytes(*length) as usize;
    let length = if wide { length.checked_mul(2)? } else { length };
    let bytes = rest.get(..length)?;
    Some(Units { wide, bytes })
}

/// A string's tag and its length.
const STRING_HEADER: usize = 5;

/// The UTF-16 code units of a string.
#[derive(Clone, Copy, Default)]
pub struct Units<'a> {
    wide: bool,
    bytes: &'a [u8],
}

impl<'a> Units<'a> {
    /// Adds at most `count` of the first ones to `out`, and answers with the bytes of the others.
    pub fn push_to(self, count: usize, out: &mut Vec<u16>) -> &'a [u8] {
        let end = count.min(self.len()) << usize::from(self.wide);
        let (first, rest) = self.bytes.split_at(end);
        let first = Self {
            bytes: first,
            ..self
        };
        if first.wide {
            let (units, _) = first.bytes.as_chunks();
            out.extend(units.iter().map(|unit| u16::from_le_bytes(*unit)));
        } else {
            out.extend(first.bytes.iter().map(|byte| u16::from(*byte)));
        }
        rest
    }

    /// Hands out every unit, from the first to the last.
    pub fn for_each(self, mut take: impl FnMut(u16)) {
        if self.wide {
            let (units, _) = self.bytes.as_chunks();
            units
                .iter()
                .for_each(|unit| take(u16::from_le_bytes(*unit)));
        } else {
            self.bytes.iter().for_each(|byte| take(u16::from(*byte)));
        }
    }

    /// Whether a time or an id may be among the first ones.
    pub fn may_hold_time(self, among: usize) -> bool {
        let most = among << usize::from(self.wide);
        let first = self.bytes.get(..most).unwrap_or(self.bytes);
        may_hold_time(first, self.wide)
    }

    /// The bytes of the first units, or of all if there are fewer: equal for equal ones of one width.
    pub fn bytes_of_first(self, count: usize) -> &'a [u8] {
        let length = if self.wide {
            count.saturating_mul(2)
        } else {
            count
        };
        self.bytes.get(..length).unwrap_or(self.bytes)
    }

    /// The encoding of the first ones, as a string of the same width.
    pub fn encoded_first(self, count: usize) -> Vec<u8> {
        let units = self.bytes_of_first(count);
        let count = (units.len() >> usize::from(self.wide)) as u32;
        let tag = if self.wide { tag::WIDE } else { tag::ASCII };
        let mut encoded = vec![tag];
        encoded.extend_from_slice(&count.to_le_bytes());
        encoded.extend_from_slice(units);
        encoded
    }

    /// Those from a place on.
    pub fn from(self, place: usize) -> Self {
        let at = place << usize::from(self.wide);
        Self {
            bytes: self.bytes.get(at..).unwrap_or_default(),
            ..self
        }
    }

    /// The bytes of what is ASCII only.
    pub fn as_ascii(self) -> Option<&'a [u8]> {
        (!self.wide).then_some(self.bytes)
    }

    /// The number of its UTF-16 code units.
    pub fn len(self) -> usize {
        self.bytes.len() >> usize::from(self.wide)
    }

    /// Whether it has none.
    pub fn is_empty(self) -> bool {
        self.bytes.is_empty()
    }

    /// The unit at a place, 0 after the end.
    pub fn at(self, place: usize) -> u16 {
        let at = place << usize::from(self.wide);
        let byte = |at: usize| self.bytes.get(at).copied().unwrap_or(0);
        let high = if self.wide { byte(at + 1) } else { 0 };
        u16::from_le_bytes([byte(at), high])
    }

    /// At most `count` of the first ones.
    pub fn first(self, count: usize) -> Vec<u16> {
        let mut units = Vec::new();
        self.push_to(count, &mut units);
        units
    }

    /// Whether these words of ASCII are at a place.
    pub fn has(self, words: &str, place: usize) -> bool {
        for (at, byte) in words.bytes().enumerate() {
            if self.at(place + at) != u16::from(byte) {
                return false;
            }
        }
        true
    }

    /// Whether it is this text, of ASCII characters.
    pub fn is(self, words: &str) -> bool {
        self.len() == words.len() && self.has(words, 0)
    }
}

/// Walks an encoding. Every step answers `None` at the end of the bytes.
pub(crate) struct Reader<'a> {
    pub bytes: &'a [u8],
    pub at: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn tag(&mut self) -> Option<u8> {
        let tag = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(tag)
    }

    pub(crate) fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let taken = self.bytes.get(self.at..self.at.checked_add(length)?)?;
        self.at += length;
        Some(taken)
    }

    pub(crate) fn string_bytes(&mut self) -> Option<(bool, &'a [u8])> {
        let Units { wide, bytes } = string(self.bytes.get(self.at..)?)?;
        self.at += STRING_HEADER + bytes.len();
        Some((wide, bytes))
    }

    /// Passes a value.
    pub(crate) fn skip(&mut self) -> Option<()> {
        let mut open = 0usize;
        loop {
            let rest = self.bytes.get(self.at..)?;
            let length = match *rest.first()? {
                tag::ASCII | tag::WIDE => STRING_HEADER + string(rest)?.bytes.len(),
                tag::NUMBER => 2 + usize::from(*rest.get(1)?),
                tag::CUT => {
                    // The value itself follows.
                    self.at += 1;
                    continue;
                }
                tag::ARRAY | tag::OBJECT => {
                    open += 1;
                    1
                }
                tag::ARRAY_END | tag::OBJECT_END => {
                    open = open.checked_sub(1)?;
                    1
                }
                _ => 1,
            };
            // A number may be cut.
            self.at += rest.get(..length)?.len();
            if open == 0 {
                return Some(());
            }
        }
    }
}
