//! Strings from JavaScript, in the encoding of `crate::call`, and strings for it, fetched by address.

use crate::ghost_block::Text;

/// The strings that a call carries, one behind the other.
pub(crate) fn read_texts(mut bytes: &[u8]) -> Vec<Text> {
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
    match tag {
        b's' => {
            let (text, rest) = rest.split_at_checked(length)?;
            Some((Text::from_ascii(text)?, rest))
        }
        b'w' => {
            let (text, rest) = rest.split_at_checked(length * 2)?;
            Some((Text::from_le_bytes(text), rest))
        }
        _ => None,
    }
}

/// Texts that JavaScript reads out of Wasm memory, by number.
#[derive(Debug, Default)]
pub(crate) struct Shelf {
    texts: Vec<Text>,
}

impl Shelf {
    pub(crate) fn clear(&mut self) {
        self.texts = Vec::new();
    }

    /// Keeps a text and answers with its number.
    pub(crate) fn put(&mut self, text: Text) -> usize {
        self.texts.push(text);
        self.texts.len() - 1
    }

    /// Address, length in units, and whether a unit takes two bytes.
    pub(crate) fn place(&self, number: usize) -> Vec<u32> {
        match self.texts.get(number) {
            Some(Text::Ascii(bytes)) => vec![bytes.as_ptr() as u32, bytes.len() as u32, 0],
            Some(Text::Wide(units)) => vec![units.as_ptr() as u32, units.len() as u32, 1],
            None => Vec::new(),
        }
    }
}
