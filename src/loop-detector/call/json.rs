//! Canonical JSON: what `JSON.stringify` prints of a value, with the encoding's order of keys, and `…` before
//! what is cut.

use super::encoded::Reader;
use super::tag;
use turnkeeper_base::text::{next_character, push_character, units_from_le_bytes};

/// Adds the value at the reader's place; nothing of a value that is not there.
impl Reader<'_> {
    pub(super) fn string(&mut self, json: &mut String, quoted: bool) -> Option<()> {
        let (wide, bytes) = self.string_bytes()?;
        if quoted {
            json.push('"');
        }
        if wide {
            let units = units_from_le_bytes(bytes);
            let mut rest = &units[..];
            while let Some(character) = next_character(&mut rest) {
                push_character(character, quoted, json);
            }
        } else {
            for byte in bytes {
                push_character(Ok(char::from(*byte)), quoted, json);
            }
        }
        if quoted {
            json.push('"');
        }
        Some(())
    }

    pub(super) fn value(&mut self, json: &mut String) -> Option<()> {
        let tag = *self.bytes.get(self.at)?;
        if matches!(tag, tag::ASCII | tag::WIDE) {
            return self.string(json, true);
        }
        self.at += 1;
        match tag {
            tag::NONE => {}
            tag::NULL => json.push_str("null"),
            tag::TRUE => json.push_str("true"),
            tag::FALSE => json.push_str("false"),
            tag::NUMBER => {
                let length = usize::from(self.tag()?);
                for digit in self.take(length)? {
                    json.push(char::from(*digit));
                }
            }
            tag::ARRAY => self.items(json, tag::ARRAY_END)?,
            tag::OBJECT => self.items(json, tag::OBJECT_END)?,
            tag::CUT => {
                json.push('…');
                self.value(json)?;
            }
            _ => return None,
        }
        Some(())
    }

    /// The content of the brackets of an array or an object.
    fn items(&mut self, json: &mut String, end: u8) -> Option<()> {
        json.push(if end == tag::ARRAY_END { '[' } else { '{' });
        let mut is_first = true;
        while *self.bytes.get(self.at)? != end {
            if !is_first {
                json.push(',');
            }
            is_first = false;
            if end == tag::OBJECT_END {
                self.string(json, true)?;
                json.push(':');
            }
            self.value(json)?;
        }
        self.at += 1;
        json.push(char::from(end));
        Some(())
    }
}
