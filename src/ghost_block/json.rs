//! JSON as JavaScript reads and prints it, over UTF-16, where a surrogate may stand alone.

use super::text::{Builder, Text};
use crate::table::sorted_by;

/// Deeper nesting is refused.
const DEEPEST: usize = 100;

/// A JSON value. Keys of an object are in JavaScript's order: integers ascending, then as written.
#[derive(Debug, Clone, PartialEq)]
pub enum Json {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as JavaScript prints the double nearest to it.
    Number(String),
    /// A string.
    String(Text),
    /// An array.
    Array(Vec<Json>),
    /// An object.
    Object(Vec<(Text, Json)>),
}

/// Where the text is no JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Malformed {
    pub(crate) at: usize,
}

impl Json {
    /// The value that begins at `at`, and where it ends.
    pub(crate) fn read(units: &[u16], at: usize) -> Result<(Self, usize), Malformed> {
        let mut reader = Reader { units, at };
        let value = reader.value(0)?;
        Ok((value, reader.at))
    }

    /// A whole text.
    pub(crate) fn parse(units: &[u16]) -> Result<Self, Malformed> {
        let mut reader = Reader { units, at: 0 };
        let value = reader.value(0)?;
        reader.blank();
        if reader.at == units.len() {
            Ok(value)
        } else {
            Err(Malformed { at: reader.at })
        }
    }

    /// The value as JSON on lines.
    #[must_use]
    pub fn to_text(&self) -> Text {
        let mut out = Builder::new();
        self.print(0, &mut out);
        out.into_text()
    }

    /// A property of an object.
    pub(crate) fn get(&self, name: &str) -> Option<&Json> {
        let Self::Object(entries) = self else {
            return None;
        };
        let name = Text::from(name);
        entries
            .iter()
            .find_map(|(key, value)| (*key == name).then_some(value))
    }

    /// As `JSON.stringify(value, null, 2)` prints it, on a line that is indented by `indent` steps.
    pub(crate) fn print(&self, indent: usize, out: &mut Builder) {
        match self {
            Self::Array(items) if !items.is_empty() => {
                out.ascii("[");
                for (place, item) in items.iter().enumerate() {
                    line(place, indent + 1, out);
                    item.print(indent + 1, out);
                }
                line(0, indent, out);
                out.ascii("]");
            }
            Self::Object(entries) if !entries.is_empty() => {
                out.ascii("{");
                for (place, (key, value)) in entries.iter().enumerate() {
                    line(place, indent + 1, out);
                    out.json_string(key);
                    out.ascii(": ");
                    value.print(indent + 1, out);
                }
                line(0, indent, out);
                out.ascii("}");
            }
            other => other.print_leaf(out),
        }
    }

    /// On one line, with the keys of every object sorted: equal for equal values.
    pub(crate) fn canonical(&self, out: &mut Builder) {
        match self {
            Self::Array(items) if !items.is_empty() => {
                for (place, item) in items.iter().enumerate() {
                    out.ascii(if place == 0 { "[" } else { "," });
                    item.canonical(out);
                }
                out.ascii("]");
            }
            Self::Object(entries) if !entries.is_empty() => {
                for (place, number) in key_order(entries).into_iter().enumerate() {
                    let (key, value) = &entries[number];
                    out.ascii(if place == 0 { "{" } else { "," });
                    out.json_string(key);
                    out.ascii(":");
                    value.canonical(out);
                }
                out.ascii("}");
            }
            other => other.print_leaf(out),
        }
    }

    fn print_leaf(&self, out: &mut Builder) {
        match self {
            Self::Null => out.ascii("null"),
            Self::Bool(true) => out.ascii("true"),
            Self::Bool(false) => out.ascii("false"),
            Self::Number(digits) => out.ascii(digits),
            Self::String(text) => out.json_string(text),
            Self::Array(_) => out.ascii("[]"),
            Self::Object(_) => out.ascii("{}"),
        }
    }
}

/// Begins a line within an array or object; all but the first follow a comma.
pub(crate) fn line(place: usize, indent: usize, out: &mut Builder) {
    out.ascii(if place == 0 { "\n" } else { ",\n" });
    for _ in 0..indent {
        out.ascii("  ");
    }
}

/// JSON's number as `JSON.stringify` prints it: what is beyond JavaScript's numbers is null, and zero
/// has no sign.
#[cfg(not(target_family = "wasm"))]
fn as_javascript_prints(number: &str) -> String {
    let number: f64 = number.parse().unwrap_or(f64::NAN);
    if number.is_finite() {
        ryu_js::Buffer::new().format(number).to_owned()
    } else {
        "null".to_owned()
    }
}

/// Where there is a JavaScript, it prints: the tables for it would be a tenth of the module.
#[cfg(target_family = "wasm")]
use crate::wasm::as_javascript_prints;

struct Reader<'a> {
    units: &'a [u16],
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u16> {
        self.units.get(self.at).copied()
    }

    fn blank(&mut self) {
        while matches!(self.peek(), Some(0x20 | 0x09 | 0x0a | 0x0d)) {
            self.at += 1;
        }
    }

    fn malformed<T>(&self) -> Result<T, Malformed> {
        Err(Malformed { at: self.at })
    }

    fn expect(&mut self, character: u8) -> Result<(), Malformed> {
        if self.peek() == Some(u16::from(character)) {
            self.at += 1;
            Ok(())
        } else {
            self.malformed()
        }
    }

    fn value(&mut self, depth: usize) -> Result<Json, Malformed> {
        self.blank();
        if depth > DEEPEST {
            return self.malformed();
        }
        match self.peek() {
            Some(0x22) => Ok(Json::String(self.string()?)),
            Some(0x7b) => self.object(depth),
            Some(0x5b) => self.array(depth),
            Some(0x74) => self.word("true", Json::Bool(true)),
            Some(0x66) => self.word("false", Json::Bool(false)),
            Some(0x6e) => self.word("null", Json::Null),
            Some(0x2d | 0x30..=0x39) => self.number(),
            _ => self.malformed(),
        }
    }

    fn word(&mut self, word: &str, value: Json) -> Result<Json, Malformed> {
        for byte in word.bytes() {
            self.expect(byte)?;
        }
        Ok(value)
    }

    fn digits(&mut self) -> Result<(), Malformed> {
        let from = self.at;
        while matches!(self.peek(), Some(0x30..=0x39)) {
            self.at += 1;
        }
        if self.at == from {
            self.malformed()
        } else {
            Ok(())
        }
    }

    fn number(&mut self) -> Result<Json, Malformed> {
        let from = self.at;
        if self.peek() == Some(0x2d) {
            self.at += 1;
        }
        if self.peek() == Some(0x30) {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.peek() == Some(0x2e) {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(0x65 | 0x45)) {
            self.at += 1;
            if matches!(self.peek(), Some(0x2b | 0x2d)) {
                self.at += 1;
            }
            self.digits()?;
        }
        let digits: String = self.units[from..self.at]
            .iter()
            .map(|&unit| char::from(unit as u8))
            .collect();
        Ok(Json::Number(as_javascript_prints(&digits)))
    }

    fn string(&mut self) -> Result<Text, Malformed> {
        self.expect(b'"')?;
        let mut text = Vec::new();
        loop {
            let plain = self.units[self.at..]
                .iter()
                .position(|unit| matches!(unit, 0x22 | 0x5c | 0..0x20));
            let Some(plain) = plain else {
                self.at = self.units.len();
                return self.malformed();
            };
            text.extend_from_slice(&self.units[self.at..self.at + plain]);
            self.at += plain;
            match self.units[self.at] {
                0x22 => {
                    self.at += 1;
                    return Ok(Text::from_units(&text));
                }
                0x5c => {
                    self.at += 1;
                    let unit = self.escape()?;
                    text.push(unit);
                }
                _ => return self.malformed(),
            }
        }
    }

    fn escape(&mut self) -> Result<u16, Malformed> {
        let unit = match self.peek() {
            Some(same @ (0x22 | 0x5c | 0x2f)) => same,
            Some(0x62) => 0x08,
            Some(0x66) => 0x0c,
            Some(0x6e) => 0x0a,
            Some(0x72) => 0x0d,
            Some(0x74) => 0x09,
            Some(0x75) => {
                let mut unit = 0;
                for _ in 0..4 {
                    self.at += 1;
                    let digit = self
                        .peek()
                        .and_then(|unit| char::from_u32(u32::from(unit))?.to_digit(16));
                    let Some(digit) = digit else {
                        return self.malformed();
                    };
                    unit = unit << 4 | digit as u16;
                }
                unit
            }
            _ => return self.malformed(),
        };
        self.at += 1;
        Ok(unit)
    }

    fn array(&mut self, depth: usize) -> Result<Json, Malformed> {
        self.expect(b'[')?;
        let mut items = Vec::new();
        self.blank();
        if self.peek() == Some(0x5d) {
            self.at += 1;
            return Ok(Json::Array(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.blank();
            if self.peek() == Some(0x5d) {
                self.at += 1;
                return Ok(Json::Array(items));
            }
            self.expect(b',')?;
        }
    }

    fn object(&mut self, depth: usize) -> Result<Json, Malformed> {
        self.expect(b'{')?;
        let mut entries: Vec<(Text, Json)> = Vec::new();
        self.blank();
        if self.peek() == Some(0x7d) {
            self.at += 1;
            return Ok(Json::Object(entries));
        }
        loop {
            self.blank();
            let key = self.string()?;
            self.blank();
            self.expect(b':')?;
            let value = self.value(depth + 1)?;
            entries.push((key, value));
            self.blank();
            if self.peek() == Some(0x7d) {
                self.at += 1;
                return Ok(Json::Object(in_javascript_order(entries)));
            }
            self.expect(b',')?;
        }
    }
}

/// The places of the entries in order of key; those of equal keys in order of place.
fn key_order(entries: &[(Text, Json)]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..entries.len()).collect();
    places.sort_unstable_by(|&a, &b| entries[a].0.cmp_units(&entries[b].0).then(a.cmp(&b)));
    places
}

/// Of a key that is written twice, the later value counts, at the earlier place. Integers go first.
fn in_javascript_order(mut entries: Vec<(Text, Json)>) -> Vec<(Text, Json)> {
    let mut is_twice = vec![false; entries.len()];
    let mut first = 0;
    let order = key_order(&entries);
    for (number, &place) in order.iter().enumerate() {
        if number > 0 && entries[order[first]].0 == entries[place].0 {
            entries[order[first]].1 = std::mem::replace(&mut entries[place].1, Json::Null);
            is_twice[place] = true;
        } else {
            first = number;
        }
    }
    let mut is_twice = is_twice.into_iter();
    entries.retain(|_| !is_twice.next().unwrap_or(false));
    sorted_by(entries, |(key, _)| {
        integer(key).map_or(usize::MAX, |key| key as usize)
    })
}

/// A key that JavaScript puts first: an integer below 2^32 - 1 in its shortest form.
fn integer(key: &Text) -> Option<u64> {
    let Text::Ascii(digits) = key else {
        return None;
    };
    let is_shortest = digits.len() == 1 || (digits.first() != Some(&b'0') && digits.len() <= 10);
    if !is_shortest || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let number = std::str::from_utf8(digits).ok()?.parse().ok()?;
    (number < u64::from(u32::MAX)).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Json, Malformed> {
        Json::parse(&text.encode_utf16().collect::<Vec<_>>())
    }

    fn printed(text: &str) -> String {
        let mut out = Builder::new();
        parse(text).expect(text).print(0, &mut out);
        out.into_text().to_string()
    }

    fn canonical(text: &str) -> String {
        let mut out = Builder::new();
        parse(text).expect(text).canonical(&mut out);
        out.into_text().to_string()
    }

    #[test]
    fn printed_as_javascript_prints() {
        assert_eq!(printed(r#"{"uri" : "." }"#), "{\n  \"uri\": \".\"\n}");
        assert_eq!(
            printed(r#"{"b":[1,-0,1e21,1.50,[]],"a":{}, "10":null, "9":true}"#),
            "{\n  \"9\": true,\n  \"10\": null,\n  \"b\": [\n    1,\n    0,\n    1e+21,\n    1.5,\n    []\n  ],\n  \"a\": {}\n}"
        );
        assert_eq!(
            printed(r#"{"a":1,"b":2,"a":3}"#),
            "{\n  \"a\": 3,\n  \"b\": 2\n}"
        );
        assert_eq!(printed(r#""\ud83d\u00e9\/""#), "\"\\ud83dé/\"");
    }

    #[test]
    fn canonical_form_is_the_same_for_equal_values() {
        assert_eq!(
            canonical(r#"{"b":1.0,"a":[true]}"#),
            r#"{"a":[true],"b":1}"#
        );
    }

    #[test]
    fn what_is_no_json() {
        for text in [
            "",
            "{",
            "[1,]",
            "{\"a\":1,}",
            "01",
            "1.",
            "-",
            "+1",
            "\"\n\"",
            "\"\\x\"",
            "\"\\u12g4\"",
            "tru",
            "nulll",
            "{a:1}",
            "1 2",
            "'a'",
            "\"a",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
        assert!(parse(&"[".repeat(100_000)).is_err());
    }
}
