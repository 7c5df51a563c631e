//! Strings from JavaScript, in the encoding of `crate::call`, and strings for it, fetched by address.

use js_sys::JsString;

use turnkeeper_kernels::units_from_le_bytes;

use crate::ghost_block::{Builder, Text};
use crate::text::decimal;

/// The text in upper case, as Unicode has it.
pub(crate) fn upper_case(text: &str) -> String {
    JsString::from(text).to_upper_case().into()
}

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

/// The units of the one string that a call carries.
pub(crate) fn read_units(bytes: &[u8]) -> Vec<u16> {
    match bytes.split_at_checked(5) {
        Some(([b'w', ..], units)) => units_from_le_bytes(units),
        _ => match read_text(bytes) {
            Some((text, _)) => text.to_units(),
            None => Vec::new(),
        },
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

    /// Keeps what was written as JSON, and answers with its place.
    pub(crate) fn result(&mut self, json: Record) -> Vec<u32> {
        let number = self.put(json.out.into_text());
        self.place(number)
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

/// Plain data on its way to JavaScript, as JSON. Within an array, names are empty.
pub(crate) struct Record {
    out: Builder,
    is_first: bool,
}

impl Record {
    pub(crate) fn new() -> Self {
        Self {
            out: Builder::new(),
            is_first: true,
        }
    }

    fn name(&mut self, name: &str) {
        if !std::mem::replace(&mut self.is_first, false) {
            self.out.ascii(",");
        }
        if !name.is_empty() {
            self.out.ascii("\"");
            self.out.ascii(name);
            self.out.ascii("\":");
        }
    }

    pub(crate) fn open(&mut self, name: &str, bracket: &str) {
        self.name(name);
        self.out.ascii(bracket);
        self.is_first = true;
    }

    pub(crate) fn close(&mut self, bracket: &str) {
        self.out.ascii(bracket);
        self.is_first = false;
    }

    pub(crate) fn text(&mut self, name: &str, text: &Text) {
        self.name(name);
        self.out.json_string(text);
    }

    pub(crate) fn string(&mut self, name: &str, text: &str) {
        self.text(name, &Text::from(text));
    }

    pub(crate) fn optional(&mut self, name: &str, text: Option<&Text>) {
        if let Some(text) = text {
            self.text(name, text);
        }
    }

    pub(crate) fn strings(&mut self, name: &str, texts: &[String]) {
        self.open(name, "[");
        for text in texts {
            self.string("", text);
        }
        self.close("]");
    }

    pub(crate) fn number(&mut self, name: &str, number: usize) {
        self.name(name);
        self.out.ascii(&decimal(number as u64));
    }
}
