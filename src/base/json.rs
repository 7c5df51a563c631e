//! JSON, read and written as JavaScript does.

mod ascii;
mod edits;
mod error;
mod flat;
mod places;
mod reader;
mod reading;
mod strings;
mod value;

use std::io;

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

pub use self::ascii::in_ascii;
pub use self::edits::{Change, Edit, Element, Piece, applied, edited, text_of, within};
pub use self::error::JsonError;
pub use self::flat::read_flat;
pub use self::places::{Key, elements_at, value_at};
pub use self::reading::{
    MAX_DEPTH, Place, Unread, ends_without, numbers_in, parse, parse_as, parse_but, parse_in_place,
};
pub use self::value::Json;

/// A value as JSON, its numbers as `JSON.stringify` prints them. One printer of numbers for all JSON also spares
/// the module the tables of a second one.
pub fn written<T: Serialize + ?Sized>(value: &T) -> String {
    let mut bytes = Vec::new();
    let mut serializer = Serializer::with_formatter(&mut bytes, AsJavaScript);
    let written = value.serialize(&mut serializer);
    written.expect("a value is plain data, and a vector takes all of it");
    String::from_utf8(bytes).expect("JSON of strings is UTF-8")
}

/// The place that JavaScript gives a key among an object's: an integer below 2^32 - 1 in its shortest form is its own
/// place. All others have `u32::MAX`, and come last, in the order in which they are written.
pub fn place_of_key(key: &[u8]) -> u32 {
    const LAST: u32 = u32::MAX;
    let is_shortest = key.len() == 1 || key.first() != Some(&b'0');
    if !is_shortest || !key.iter().all(u8::is_ascii_digit) {
        return LAST;
    }
    let digits = str::from_utf8(key).ok();
    digits.and_then(|it| it.parse().ok()).unwrap_or(LAST)
}

struct AsJavaScript;

impl Formatter for AsJavaScript {
    fn write_f64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        writer.write_all(ryu_js::Buffer::new().format_finite(value).as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn integers_in_their_shortest_form_come_first() {
        for (key, place) in [("0", 0), ("10", 10), ("4294967294", u32::MAX - 1)] {
            assert_eq!(place_of_key(key.as_bytes()), place);
        }
        for key in [
            "", "01", "00", "+1", "-0", "1.0", "1e3", "4294967295", "99999999999", "a", "é",
        ] {
            assert_eq!(place_of_key(key.as_bytes()), u32::MAX, "{key}");
        }
    }

    #[test]
    fn numbers_are_as_javascript_prints_them_and_all_else_as_serde_does() {
        let numbers = json!([1, -1, 1.0, 0.5, 1e21, 1e-7, u64::MAX, -0.0]);
        let expected = "[1,-1,1,0.5,1e+21,1e-7,18446744073709551615,0]";
        assert_eq!(written(&numbers), expected);
        let other = json!({"b": null, "a": [true, "\u{1}\"ü\n", {}], "": []});
        assert_eq!(written(&other), other.to_string());
        let read: Value = serde_json::from_str(&written(&numbers)).expect("JSON");
        assert_eq!(read[3], numbers[3]);
    }
}
