//! Values as `js/src/boundary/flat.ts` writes them into the byte buffer: without escapes, and with the number of what
//! follows before each list, so that reading is little more than a look at the texts.
//!
//! A value is a tag of [`tag`], and after it nothing, eight bytes of a double, or a count in four bytes
//! and as many bytes of UTF-8, items, or fields. A field is a text without its tag, and a value.
//! All numbers are little-endian.

use std::borrow::Cow;

use super::error::{JsonError, TOO_DEEP};
use super::reading::MAX_DEPTH;
use super::value::Json;
use crate::tag;

/// Reads a flat value, which borrows its texts.
///
/// # Errors
/// For bytes that are none, and for values that are nested more than [`MAX_DEPTH`] deep.
pub fn read_flat(bytes: &[u8]) -> Result<Json<'_>, JsonError> {
    let mut reader = Reader { rest: bytes };
    let value = reader.value(MAX_DEPTH)?;
    match reader.rest.is_empty() {
        true => Ok(value),
        false => Err(JsonError::because("a flat value ends before its bytes do")),
    }
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn value(&mut self, depth: usize) -> Result<Json<'a>, JsonError> {
        let [tag] = self.bytes()?;
        Ok(match tag {
            tag::NULL => Json::Null,
            tag::TRUE => Json::Bool(true),
            tag::FALSE => Json::Bool(false),
            tag::DOUBLE => Json::Number(f64::from_le_bytes(self.bytes()?)),
            tag::TEXT => Json::Text(self.text()?),
            tag::LIST => {
                let (count, depth) = (self.count()?, deeper(depth)?);
                let mut items = Vec::with_capacity(count);
                for _ in 0..count {
                    items.push(self.value(depth)?);
                }
                Json::List(items)
            }
            tag::FIELDS => {
                let (count, depth) = (self.count()?, deeper(depth)?);
                let mut fields = Vec::with_capacity(count);
                for _ in 0..count {
                    fields.push((self.text()?, self.value(depth)?));
                }
                Json::Object(fields)
            }
            _ => return Err(JsonError::because("no flat value begins so")),
        })
    }

    /// A text; of bytes that are not UTF-8, as some runtimes write half of a surrogate pair, what is readable.
    fn text(&mut self) -> Result<Cow<'a, str>, JsonError> {
        let count = self.count()?;
        let (text, rest) = self.rest.split_at(count);
        self.rest = rest;
        let exact = str::from_utf8(text).map(Cow::Borrowed);
        Ok(exact.unwrap_or_else(|_| String::from_utf8_lossy(text)))
    }

    /// A number of bytes, items or fields, of which each takes a byte at least.
    fn count(&mut self) -> Result<usize, JsonError> {
        let count = u32::from_le_bytes(self.bytes()?) as usize;
        match count <= self.rest.len() {
            true => Ok(count),
            false => Err(ended()),
        }
    }

    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], JsonError> {
        let (bytes, rest) = self.rest.split_first_chunk().ok_or_else(ended)?;
        self.rest = rest;
        Ok(*bytes)
    }
}

fn deeper(depth: usize) -> Result<usize, JsonError> {
    depth
        .checked_sub(1)
        .ok_or_else(|| JsonError::because(TOO_DEEP))
}

fn ended() -> JsonError {
    JsonError::because("the bytes end within a flat value")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The bytes of a value, as JavaScript writes them.
    fn flat(value: &Json, bytes: &mut Vec<u8>) {
        let count = |bytes: &mut Vec<u8>, count: usize| {
            bytes.extend(u32::try_from(count).expect("few").to_le_bytes());
        };
        match value {
            Json::Null => bytes.push(tag::NULL),
            Json::Bool(true) => bytes.push(tag::TRUE),
            Json::Bool(false) => bytes.push(tag::FALSE),
            Json::Number(number) => {
                bytes.push(tag::DOUBLE);
                bytes.extend(number.to_le_bytes());
            }
            Json::Text(text) => {
                bytes.push(tag::TEXT);
                count(bytes, text.len());
                bytes.extend(text.bytes());
            }
            Json::List(items) => {
                bytes.push(tag::LIST);
                count(bytes, items.len());
                items.iter().for_each(|item| flat(item, bytes));
            }
            Json::Object(fields) => {
                bytes.push(tag::FIELDS);
                count(bytes, fields.len());
                for (name, value) in fields {
                    count(bytes, name.len());
                    bytes.extend(name.bytes());
                    flat(value, bytes);
                }
            }
        }
    }

    fn values() -> impl Strategy<Value = Json<'static>> {
        let leaf = prop_oneof![
            Just(Json::Null),
            any::<bool>().prop_map(Json::Bool),
            (-1e9..1e9).prop_map(Json::Number),
            ".{0,8}".prop_map(Json::from),
        ];
        leaf.prop_recursive(4, 32, 4, |inner| {
            let fields = prop::collection::vec((".{0,4}", inner.clone()), 0..4);
            prop_oneof![
                prop::collection::vec(inner, 0..4).prop_map(Json::List),
                fields.prop_map(|fields| {
                    let owned = |(name, value): (String, Json<'static>)| (name.into(), value);
                    Json::Object(fields.into_iter().map(owned).collect())
                }),
            ]
        })
    }

    fn nested(depth: usize) -> Vec<u8> {
        let mut bytes = [tag::LIST, 1, 0, 0, 0].repeat(depth);
        bytes.push(tag::NULL);
        bytes
    }

    #[test]
    fn a_thousand_levels_are_read_and_no_more() {
        assert!(read_flat(&nested(MAX_DEPTH)).is_ok());
        assert!(read_flat(&nested(MAX_DEPTH + 1)).is_err());
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(value in values()) {
            let mut bytes = Vec::new();
            flat(&value, &mut bytes);
            prop_assert_eq!(read_flat(&bytes).expect("a value"), value);
            bytes.pop();
            prop_assert!(read_flat(&bytes).is_err());
        }

        #[test]
        fn no_bytes_are_too_strange(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            let _ = read_flat(&bytes);
        }
    }
}
