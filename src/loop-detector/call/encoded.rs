//! Values in the encoding, read in place.

use super::tag;
use turnkeeper_base::text::{lossy, may_hold_time};

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

    /// Whether it is a string.
    pub fn is_string(self) -> bool {
        matches!(self.tag(), tag::ASCII | tag::WIDE)
    }

    /// The first value, if there is one, and what comes after it.
    pub fn split(self) -> (Encoded<'a>, Encoded<'a>) {
        let (first, rest) = self.0.split_at(length_of(self.0).unwrap_or(0));
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
        match self.is_string() {
            true => string(self.0).unwrap_or_default(),
            false => Units::default(),
        }
    }
}

/// The length of the value that the bytes begin with; none if they end within it.
fn length_of(bytes: &[u8]) -> Option<usize> {
    let (mut at, mut open) = (0, 0usize);
    loop {
        let rest = bytes.get(at..)?;
        let length = match *rest.first()? {
            tag::ASCII | tag::WIDE => STRING_HEADER + string(rest)?.bytes.len(),
            tag::NUMBER => 2 + usize::from(*rest.get(1)?),
            tag::CUT => {
                // The value itself follows.
                at += 1;
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
        at += rest.get(..length)?.len();
        if open == 0 {
            return Some(at);
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
    /// At most `count` of the first ones.
    pub fn up_to(self, count: usize) -> Self {
        let length = count << usize::from(self.wide);
        Self {
            bytes: self.bytes.get(..length).unwrap_or(self.bytes),
            ..self
        }
    }

    /// Adds them to `out`.
    pub fn push_to(self, out: &mut Vec<u16>) {
        if self.wide {
            let (units, _) = self.bytes.as_chunks();
            out.extend(units.iter().map(|unit| u16::from_le_bytes(*unit)));
        } else {
            out.extend(self.bytes.iter().map(|byte| u16::from(*byte)));
        }
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

    /// Whether a time or an id may be among them.
    pub fn may_hold_time(self) -> bool {
        may_hold_time(self.bytes, self.wide)
    }

    /// Their bytes: equal for equal ones of one width.
    pub fn bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// Their encoding, as a string of the same width.
    pub fn encoded(self) -> Vec<u8> {
        let tag = if self.wide { tag::WIDE } else { tag::ASCII };
        let length = (self.len() as u32).to_le_bytes();
        [&[tag], &length[..], self.bytes].concat()
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

    /// The units themselves.
    pub fn to_vec(self) -> Vec<u16> {
        let mut units = Vec::new();
        self.push_to(&mut units);
        units
    }

    /// The text; an unpaired surrogate shows as U+FFFD.
    pub fn lossy(self) -> String {
        match self.as_ascii() {
            Some(ascii) => ascii.iter().copied().map(char::from).collect(),
            None => lossy(&self.to_vec()),
        }
    }

    /// Whether these words of ASCII are at a place.
    pub fn has(self, words: &str, place: usize) -> bool {
        let mut expected = words.bytes().enumerate();
        expected.all(|(at, byte)| self.at(place + at) == u16::from(byte))
    }

    /// Whether it is this text, of ASCII characters.
    pub fn is(self, words: &str) -> bool {
        self.len() == words.len() && self.has(words, 0)
    }
}
