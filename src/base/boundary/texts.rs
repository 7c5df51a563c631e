//! Long texts: from JavaScript through the byte buffer, in the encoding of
//! `crate::loop_detector::call`, and to JavaScript by their address in Wasm memory.

use serde::Serialize;

use crate::tag;
use crate::text::{Text, units_from_le_bytes};

/// The strings that a call carries, one after the other.
pub fn read_texts(mut bytes: &[u8]) -> Vec<Text> {
    let mut texts = Vec::new();
    while let Some((text, rest)) = read_text(bytes) {
        texts.push(text);
        bytes = rest;
    }
    texts
}

fn read_text(bytes: &[u8]) -> Option<(Text, &[u8])> {
    let (tag, rest) = bytes.split_first()?;
    let (length, rest) = rest.split_first_chunk::<4>()?;
    let length = u32::from_le_bytes(*length) as usize;
    match *tag {
        tag::ASCII => {
            let (text, rest) = rest.split_at_checked(length)?;
            Some((Text::from_ascii(text)?, rest))
        }
        tag::WIDE => {
            let (text, rest) = rest.split_at_checked(length * 2)?;
            Some((Text::from_le_bytes(text), rest))
        }
        _ => None,
    }
}

/// The units of the one string that a call carries.
pub fn read_units(bytes: &[u8]) -> Vec<u16> {
    match bytes.split_at_checked(5) {
        Some(([tag::WIDE, ..], units)) => units_from_le_bytes(units),
        _ => match read_text(bytes) {
            Some((text, _)) => text.to_units(),
            None => Vec::new(),
        },
    }
}

/// Where in Wasm memory a text lies.
#[derive(Debug, Default, Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TextPlace {
    address: usize,
    /// In UTF-16 code units.
    length: usize,
    /// Whether a unit takes two bytes; otherwise all are ASCII, in one byte each.
    is_wide: bool,
}

impl TextPlace {
    fn of(text: &Text) -> Self {
        let (address, is_wide) = match text {
            Text::Ascii(bytes) => (bytes.as_ptr() as usize, false),
            Text::Wide(units) => (units.as_ptr() as usize, true),
        };
        Self {
            address,
            length: text.len(),
            is_wide,
        }
    }
}

/// Texts that JavaScript reads out of Wasm memory after a call. They stay there until the next call
/// that lends texts.
#[derive(Debug, Default)]
pub struct LentTexts {
    texts: Vec<Text>,
}

impl LentTexts {
    /// Takes back what was lent before.
    pub fn begin(&mut self) -> &mut Self {
        self.texts = Vec::new();
        self
    }

    /// Lends a text.
    pub fn lend(&mut self, text: Text) -> TextPlace {
        let place = TextPlace::of(&text);
        self.texts.push(text);
        place
    }

    /// The text that was lent last.
    pub fn last(&self) -> TextPlace {
        self.texts.last().map(TextPlace::of).unwrap_or_default()
    }
}

/// Texts that JavaScript reads out of Wasm memory, by number.
#[derive(Debug, Default)]
pub struct Shelf {
    texts: Vec<Text>,
}

impl Shelf {
    /// Forgets all texts.
    pub fn clear(&mut self) {
        self.texts = Vec::new();
    }

    /// Keeps a text and answers with its number.
    pub fn put(&mut self, text: Text) -> usize {
        self.texts.push(text);
        self.texts.len() - 1
    }

    /// Address, length in units, and whether a unit takes two bytes.
    pub fn place(&self, number: usize) -> Vec<u32> {
        match self.texts.get(number) {
            Some(Text::Ascii(bytes)) => vec![bytes.as_ptr() as u32, bytes.len() as u32, 0],
            Some(Text::Wide(units)) => vec![units.as_ptr() as u32, units.len() as u32, 1],
            None => Vec::new(),
        }
    }
}
