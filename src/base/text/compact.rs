//! Text that is shared rather than copied. Most of what an agent reads is ASCII, which is kept in
//! half the space.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use super::hash::{fingerprint, unit_fingerprint};
use super::json_string::quote;
use super::utf16::{is_ascii, lossy, units_from_le_bytes, utf8_len};

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
        if is_ascii(units) {
            Self::Ascii(Arc::new(units.iter().map(|&unit| unit as u8).collect()))
        } else {
            Self::Wide(Arc::new(units.to_vec()))
        }
    }

    /// Text of UTF-16 code units as bytes, little-endian.
    pub fn from_le_bytes(bytes: &[u8]) -> Self {
        let units = units_from_le_bytes(bytes);
        if is_ascii(&units) {
            Self::from_units(&units)
        } else {
            Self::Wide(Arc::new(units))
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
            Self::Ascii(bytes) => widened(bytes).collect(),
            Self::Wide(units) => units.to_vec(),
        }
    }

    /// The UTF-16 code units, not copied if they are kept as such and nothing else shares them.
    pub fn into_units(self) -> Vec<u16> {
        match self {
            Self::Ascii(bytes) => widened(&bytes).collect(),
            Self::Wide(units) => Arc::unwrap_or_clone(units),
        }
    }

    /// The text as a string; an unpaired surrogate shows as U+FFFD.
    #[inline]
    pub fn to_lossy(&self) -> String {
        match self {
            Self::Ascii(bytes) => String::from_utf8(bytes.to_vec()).unwrap_or_default(),
            Self::Wide(units) => lossy(units),
        }
    }

    /// Length in bytes of UTF-8, where an unpaired surrogate takes three.
    pub fn utf8_len(&self) -> u64 {
        match self {
            Self::Ascii(bytes) => bytes.len() as u64,
            Self::Wide(units) => utf8_len(units),
        }
    }

    /// A hash of the text, for comparing.
    pub fn fingerprint(&self) -> u64 {
        match self {
            Self::Ascii(bytes) => fingerprint(bytes),
            Self::Wide(units) => unit_fingerprint(units),
        }
    }
}

/// The order of JavaScript's strings.
impl Ord for Text {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Ascii(a), Self::Ascii(b)) => a.cmp(b),
            (Self::Wide(a), Self::Wide(b)) => a.cmp(b),
            (Self::Ascii(a), Self::Wide(b)) => widened(a).cmp(b.iter().copied()),
            (Self::Wide(a), Self::Ascii(b)) => a.iter().copied().cmp(widened(b)),
        }
    }
}

impl PartialOrd for Text {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// ASCII as UTF-16 code units.
fn widened(ascii: &[u8]) -> impl Iterator<Item = u16> {
    ascii.iter().map(|&byte| u16::from(byte))
}

impl Default for Text {
    fn default() -> Self {
        Self::Ascii(Arc::default())
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        match Self::from_ascii(text.as_bytes()) {
            Some(ascii) => ascii,
            None => {
                let mut units = Vec::with_capacity(text.len());
                for character in text.chars() {
                    // Few characters are pairs.
                    match u16::try_from(u32::from(character)) {
                        Ok(unit) => units.push(unit),
                        Err(_) => units.extend_from_slice(character.encode_utf16(&mut [0; 2])),
                    }
                }
                units.shrink_to_fit();
                Self::Wide(Arc::new(units))
            }
        }
    }
}

impl From<&String> for Text {
    fn from(text: &String) -> Self {
        Self::from(text.as_str())
    }
}

/// An unpaired surrogate shows as U+FFFD.
impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_lossy())
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.to_lossy())
    }
}

/// Text that is being written: bytes until something beyond ASCII comes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Builder {
    /// Nothing beyond ASCII so far.
    Ascii(Vec<u8>),
    /// UTF-16 code units.
    Wide(Vec<u16>),
}

impl Default for Builder {
    /// Nothing written yet.
    fn default() -> Self {
        Self::Ascii(Vec::new())
    }
}

impl Builder {
    /// The text that was written.
    pub fn into_text(self) -> Text {
        match self {
            Self::Ascii(bytes) => Text::Ascii(Arc::new(bytes)),
            Self::Wide(units) if !is_ascii(&units) => Text::Wide(Arc::new(units)),
            // An unpaired surrogate was written as an escape, and nothing else was beyond ASCII.
            Self::Wide(units) => Text::from_units(&units),
        }
    }

    /// Appends characters of the program's own, which are ASCII.
    pub fn ascii(&mut self, text: &str) {
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
    /// `<` as `\u003c` where a tag of this name would begin or end.
    pub fn json_string(&mut self, text: &Text, tag: &str) {
        match (&mut *self, text) {
            (Self::Ascii(out), Text::Ascii(bytes)) => quote(bytes, tag, out),
            (_, Text::Ascii(bytes)) => {
                let mut quoted = Vec::new();
                quote(bytes, tag, &mut quoted);
                self.wide(0)
                    .extend(quoted.iter().map(|&byte| u16::from(byte)));
            }
            (_, Text::Wide(units)) => quote(units, tag, self.wide(units.len())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn quoted(text: &Text) -> String {
        let mut out = Builder::default();
        out.json_string(text, "content");
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
            ("a < b <conten", r#""a < b <conten""#),
            ("</content>", r#""\u003c/content>""#),
            ("思<CONTENT x>", r#""思\u003cCONTENT x>""#),
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
