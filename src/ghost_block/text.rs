//! Text as JavaScript holds it: UTF-16 code units, in which a surrogate may stand alone.
//!
//! Most of what an agent reads is ASCII, so that is kept in half the space.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use super::syntax::pattern::code_point;
use crate::hash::fingerprint;

/// Text of any content; clones share it. ASCII if every unit is, so equal texts are equal values.
#[derive(Clone, PartialEq, Eq)]
pub enum Text {
    /// One byte a unit.
    Ascii(Arc<Vec<u8>>),
    /// UTF-16 code units, at least one of them beyond ASCII.
    Wide(Arc<Vec<u16>>),
}

impl Text {
    /// Text of UTF-16 code units.
    pub fn from_units(units: &[u16]) -> Self {
        if units.iter().fold(0, |all, unit| all | unit) < 0x80 {
            Self::Ascii(Arc::new(units.iter().map(|&unit| unit as u8).collect()))
        } else {
            Self::Wide(Arc::new(units.to_vec()))
        }
    }

    /// Text of bytes, if they are ASCII.
    pub fn from_ascii(bytes: &[u8]) -> Option<Self> {
        bytes
            .is_ascii()
            .then(|| Self::Ascii(Arc::new(bytes.to_vec())))
    }

    /// Length in UTF-16 code units.
    pub fn len(&self) -> usize {
        match self {
            Self::Ascii(bytes) => bytes.len(),
            Self::Wide(units) => units.len(),
        }
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The UTF-16 code units.
    pub fn to_units(&self) -> Vec<u16> {
        match self {
            Self::Ascii(bytes) => bytes.iter().map(|&byte| u16::from(byte)).collect(),
            Self::Wide(units) => units.to_vec(),
        }
    }

    /// The order of JavaScript's strings.
    pub(crate) fn cmp_units(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Ascii(a), Self::Ascii(b)) => a.cmp(b),
            (Self::Wide(a), Self::Wide(b)) => a.cmp(b),
            _ => self.to_units().cmp(&other.to_units()),
        }
    }

    /// Length in bytes of UTF-8, where an unpaired surrogate takes three.
    pub(crate) fn utf8_len(&self) -> u64 {
        match self {
            Self::Ascii(bytes) => bytes.len() as u64,
            Self::Wide(units) => units
                .iter()
                .map(|unit| match unit {
                    0..0x80 => 1,
                    0x80..0x800 => 2,
                    // Each half of a pair is two of the pair's four bytes.
                    0xd800..0xe000 => 2,
                    _ => 3,
                })
                .sum(),
        }
    }

    /// A hash of the text, for comparing.
    pub(crate) fn fingerprint(&self) -> u64 {
        match self {
            Self::Ascii(bytes) => fingerprint(bytes),
            Self::Wide(units) => {
                let bytes: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
                fingerprint(&bytes)
            }
        }
    }
}

impl Default for Text {
    fn default() -> Self {
        Self::Ascii(Arc::default())
    }
}

/// One string of several.
pub(crate) fn concat(parts: &[&str]) -> String {
    let mut out = String::new();
    for part in parts {
        out.push_str(part);
    }
    out
}

/// What leads from one name to the next, and to itself again.
pub(crate) fn chain(names: &[String], last: &str) -> String {
    let mut out = String::new();
    for name in names {
        out.push_str(name);
        out.push_str(" -> ");
    }
    out.push_str(last);
    out
}

/// The text of whole characters only.
pub(crate) fn exact(units: &[u16]) -> Option<String> {
    let mut text = String::new();
    let mut at = 0;
    while let Some((code, width)) = code_point(units, at) {
        text.push(char::from_u32(code)?);
        at += width;
    }
    Some(text)
}

/// Where a part that is ASCII begins in a text. The standard library's search is many times as
/// large, for long texts that nothing here is.
pub(crate) fn find_bytes(text: &str, part: &str) -> Option<usize> {
    let (text, part) = (text.as_bytes(), part.as_bytes());
    (0..text.len()).find(|&at| text[at..].starts_with(part))
}

/// What stands before and behind the first such byte, which is ASCII.
pub(crate) fn split_once(text: &str, byte: u8) -> Option<(&str, &str)> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while *bytes.get(at)? != byte {
        at += 1;
    }
    Some((text.get(..at)?, text.get(at + 1..)?))
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        match Self::from_ascii(text.as_bytes()) {
            Some(ascii) => ascii,
            None => Self::Wide(Arc::new(text.encode_utf16().collect())),
        }
    }
}

/// An unpaired surrogate shows as U+FFFD.
impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ascii(bytes) => f.write_str(&String::from_utf8_lossy(bytes)),
            Self::Wide(units) => f.write_str(&String::from_utf16_lossy(units)),
        }
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.to_string())
    }
}

/// Text that is being written: bytes until something beyond ASCII comes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Builder {
    Ascii(Vec<u8>),
    Wide(Vec<u16>),
}

impl Builder {
    pub(crate) fn new() -> Self {
        Self::Ascii(Vec::new())
    }

    pub(crate) fn into_text(self) -> Text {
        match self {
            Self::Ascii(bytes) => Text::Ascii(Arc::new(bytes)),
            Self::Wide(units) => Text::Wide(Arc::new(units)),
        }
    }

    /// Appends characters of the program's own, which are ASCII.
    pub(crate) fn ascii(&mut self, text: &str) {
        debug_assert!(text.is_ascii());
        match self {
            Self::Ascii(bytes) => bytes.extend_from_slice(text.as_bytes()),
            Self::Wide(units) => units.extend(text.bytes().map(u16::from)),
        }
    }

    fn wide(&mut self, more: usize) -> &mut Vec<u16> {
        if let Self::Ascii(bytes) = self {
            let mut units = Vec::with_capacity(bytes.len() + more + more / 8);
            units.extend(bytes.iter().map(|&byte| u16::from(byte)));
            *self = Self::Wide(units);
        }
        match self {
            Self::Wide(units) => units,
            Self::Ascii(_) => unreachable!("made wide above"),
        }
    }

    /// Appends the text as a JSON string, in the form of JavaScript's `JSON.stringify`, and with
    /// `<` as `\u003c` where a tag of the block would begin.
    pub(crate) fn json_string(&mut self, text: &Text) {
        match (&mut *self, text) {
            (Self::Ascii(out), Text::Ascii(bytes)) => quote_ascii(bytes, out),
            (_, Text::Ascii(bytes)) => {
                let mut quoted = Vec::new();
                quote_ascii(bytes, &mut quoted);
                self.wide(0)
                    .extend(quoted.iter().map(|&byte| u16::from(byte)));
            }
            (_, Text::Wide(units)) => quote_wide(units, self.wide(units.len())),
        }
    }
}

const HEX: &[u8; 16] = b"0123456789abcdef";
const TAG: &[u8] = b"content_reference";

/// The escape of a unit that may not stand in a JSON string, after its backslash.
fn escape(unit: u16) -> ([u8; 5], usize) {
    let short = match unit {
        0x08 => b'b',
        0x09 => b't',
        0x0a => b'n',
        0x0c => b'f',
        0x0d => b'r',
        0x22 => b'"',
        0x5c => b'\\',
        _ => {
            let digit = |shift: u32| HEX[usize::from(unit >> shift & 15)];
            return ([b'u', digit(12), digit(8), digit(4), digit(0)], 5);
        }
    };
    ([short, 0, 0, 0, 0], 1)
}

/// Whether a tag of the block begins with the `<` before these units.
fn is_tag<T: Copy + Into<u16>>(behind: &[T]) -> bool {
    let name = match behind.first() {
        Some(&slash) if slash.into() == 0x2f => &behind[1..],
        _ => behind,
    };
    name.len() >= TAG.len()
        && TAG.iter().zip(name).all(|(&expected, &unit)| {
            let unit: u16 = unit.into();
            unit < 0x80 && (unit as u8).eq_ignore_ascii_case(&expected)
        })
}

/// Where among the first eight bytes one stands that may need an escape, as the lowest set bit of
/// its byte; higher bits may be wrong.
fn special_bytes(bytes: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHS: u64 = 0x8080_8080_8080_8080;
    let zero = |bytes: u64| bytes.wrapping_sub(ONES) & !bytes & HIGHS;
    let is = |byte: u8| zero(bytes ^ (ONES * u64::from(byte)));
    let control = bytes.wrapping_sub(ONES * 0x20) & !bytes & HIGHS;
    control | is(b'"') | is(b'\\') | is(b'<')
}

fn quote_ascii(bytes: &[u8], out: &mut Vec<u8>) {
    out.reserve(bytes.len() + bytes.len() / 8 + 2);
    out.push(b'"');
    let mut from = 0;
    let mut at = 0;
    while at < bytes.len() {
        let special = match bytes[at..].first_chunk::<8>() {
            Some(chunk) => match special_bytes(u64::from_le_bytes(*chunk)) {
                0 => {
                    at += 8;
                    continue;
                }
                found => at + (found.trailing_zeros() / 8) as usize,
            },
            None => {
                let is_special = |byte: &u8| *byte < 0x20 || matches!(byte, b'"' | b'\\' | b'<');
                match bytes[at..].iter().position(is_special) {
                    Some(found) => at + found,
                    None => break,
                }
            }
        };
        at = special + 1;
        if bytes[special] == b'<' && !is_tag(&bytes[at..]) {
            continue;
        }
        out.extend_from_slice(&bytes[from..special]);
        let (text, length) = escape(u16::from(bytes[special]));
        out.push(b'\\');
        out.extend_from_slice(&text[..length]);
        from = at;
    }
    out.extend_from_slice(&bytes[from..]);
    out.push(b'"');
}

fn quote_wide(units: &[u16], out: &mut Vec<u16>) {
    out.reserve(units.len() + units.len() / 16 + 2);
    out.push(0x22);
    let mut at = 0;
    while at < units.len() {
        // Sixteen units at a time, without branches, so that the compiler can use SIMD.
        if let Some(chunk) = units[at..].first_chunk::<16>() {
            let special = chunk.iter().fold(false, |found, &unit| {
                found
                    | (unit < 0x20)
                    | (unit == 0x22)
                    | (unit == 0x5c)
                    | (unit == 0x3c)
                    | (unit & 0xf800 == 0xd800)
            });
            if !special {
                out.extend_from_slice(chunk);
                at += 16;
                continue;
            }
        }
        let stop = (at + 16).min(units.len());
        while at < stop {
            let unit = units[at];
            at += 1;
            let stays = match unit {
                0x3c => !is_tag(&units[at..]),
                0xd800..0xdc00 => match units.get(at) {
                    Some(&low @ 0xdc00..0xe000) => {
                        out.push(unit);
                        out.push(low);
                        at += 1;
                        continue;
                    }
                    _ => false,
                },
                0xdc00..0xe000 => false,
                _ => unit >= 0x20 && unit != 0x22 && unit != 0x5c,
            };
            if stays {
                out.push(unit);
            } else {
                let (text, length) = escape(unit);
                out.push(0x5c);
                out.extend(text[..length].iter().map(|&byte| u16::from(byte)));
            }
        }
    }
    out.push(0x22);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn quoted(text: &Text) -> String {
        let mut out = Builder::new();
        out.json_string(text);
        out.into_text().to_string()
    }

    #[test]
    fn strings_are_written_as_javascript_writes_them() {
        let table = [
            ("", r#""""#),
            (
                "plain text of some length",
                r#""plain text of some length""#,
            ),
            ("a\"b\\c/", r#""a\"b\\c/""#),
            (
                "\u{8}\t\n\u{c}\r\u{0}\u{1f}\u{7f}",
                "\"\\b\\t\\n\\f\\r\\u0000\\u001f\u{7f}\"",
            ),
            ("思\u{2028}😀\n", "\"思\u{2028}😀\\n\""),
            ("a < b <content", r#""a < b <content""#),
            ("</content_reference>", r#""\u003c/content_reference>""#),
            (
                "思<CONTENT_reference x>",
                r#""思\u003cCONTENT_reference x>""#,
            ),
        ];
        for (text, expected) in table {
            assert_eq!(quoted(&Text::from(text)), expected);
        }
        let lone = Text::from_units(&[0x61, 0xd83d, 0x62, 0xde00, 0xd83d]);
        assert_eq!(quoted(&lone), r#""a\ud83db\ude00\ud83d""#);
    }

    proptest! {
        #[test]
        fn ascii_strings_parse_back(bytes in proptest::collection::vec(0u8..0x80, 0..200)) {
            let text = Text::from_ascii(&bytes).expect("ASCII");
            let back: String = serde_json::from_str(&quoted(&text)).expect("JSON");
            prop_assert_eq!(back.as_bytes(), &bytes[..]);
        }

        #[test]
        fn wide_strings_parse_back(text in "\\PC{0,80}[\\x00-\\x7f]{0,40}\\PC{0,40}") {
            let back: String = serde_json::from_str(&quoted(&Text::from(text.as_str()))).expect("JSON");
            prop_assert_eq!(back, text);
        }
    }
}
