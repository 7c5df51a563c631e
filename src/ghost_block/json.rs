//! JSON as JavaScript reads and prints it, over UTF-16, where a surrogate may stand alone.

use super::syntax::{part, starts_with, unit_at};
use super::text::{Builder, Text, lossy};
use crate::table::order;

/// Deeper nesting is refused.
const DEEPEST: usize = 100;

/// A JSON value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Json {
    /// `null`, `true`, `false`, or a number as JavaScript prints the double nearest to it.
    Word(String),
    Text(Text),
    /// The keys of an object are in JavaScript's order: integers ascending, then as written. Those
    /// of an array are empty.
    List {
        is_object: bool,
        entries: Vec<(Text, Json)>,
    },
}

impl Json {
    /// The value that begins at `at`, and where it ends; nothing if that is no JSON.
    pub(crate) fn read(units: &[u16], at: usize) -> Option<(Self, usize)> {
        let mut reader = Reader { units, at };
        let value = reader.value(0)?;
        Some((value, reader.at))
    }

    /// A whole text.
    pub(crate) fn parse(units: &[u16]) -> Option<Self> {
        let mut reader = Reader { units, at: 0 };
        let value = reader.value(0)?;
        reader.blank();
        (reader.at == units.len()).then_some(value)
    }

    /// The entries of an object or an array.
    pub(crate) fn entries(&self) -> &[(Text, Json)] {
        match self {
            Self::List { entries, .. } => entries,
            _ => &[],
        }
    }

    /// A property of an object.
    pub(crate) fn get(&self, name: &str) -> Option<&Json> {
        let name = Text::from(name);
        let mut entries = self.entries().iter();
        entries.find(|entry| entry.0 == name).map(|entry| &entry.1)
    }

    /// A property that is a string.
    pub(crate) fn text(&self, name: &str) -> Option<&Text> {
        match self.get(name) {
            Some(Self::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// As `JSON.stringify(value, null, 2)` prints it.
    pub(crate) fn printed(&self) -> Text {
        let mut out = Builder::new();
        self.write(Some(0), &mut out);
        out.into_text()
    }

    /// On one line, with the keys of every object sorted: equal for equal values.
    pub(crate) fn canonical(&self) -> String {
        let mut out = Builder::new();
        self.write(None, &mut out);
        out.into_text().to_lossy()
    }

    /// Printed on a line that is indented by so many steps, or canonical.
    pub(crate) fn write(&self, indent: Option<usize>, out: &mut Builder) {
        let (is_object, entries) = match self {
            Self::Word(word) => return out.ascii(word),
            Self::Text(text) => return out.json_string(text),
            Self::List { is_object, entries } => (*is_object, entries),
        };
        out.ascii(if is_object { "{" } else { "[" });
        let order = match indent {
            None if is_object => key_order(entries),
            _ => (0..entries.len()).collect(),
        };
        let within = indent.map(|indent| indent + 1);
        for (place, &number) in order.iter().enumerate() {
            let (key, value) = &entries[number];
            match within {
                Some(within) => line(place, within, out),
                None if place > 0 => out.ascii(","),
                None => {}
            }
            if is_object {
                out.json_string(key);
                out.ascii(if indent.is_some() { ": " } else { ":" });
            }
            value.write(within, out);
        }
        if let Some(indent) = indent
            && !entries.is_empty()
        {
            line(0, indent, out);
        }
        out.ascii(if is_object { "}" } else { "]" });
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
    fn peek(&self) -> u16 {
        unit_at(self.units, self.at)
    }

    fn blank(&mut self) {
        while matches!(self.peek(), 0x20 | 0x09 | 0x0a | 0x0d) {
            self.at += 1;
        }
    }

    fn take(&mut self, character: u8) -> bool {
        let is_next = self.peek() == u16::from(character);
        self.at += usize::from(is_next);
        is_next
    }

    fn value(&mut self, depth: usize) -> Option<Json> {
        if depth > DEEPEST {
            return None;
        }
        self.blank();
        match self.peek() {
            0x22 => Some(Json::Text(self.string()?)),
            0x7b | 0x5b => self.list(depth),
            0x2d | 0x30..=0x39 => self.number(),
            _ => {
                for word in ["true", "false", "null"] {
                    if starts_with(part(self.units, self.at, self.units.len()), word) {
                        self.at += word.len();
                        return Some(Json::Word(word.to_owned()));
                    }
                }
                None
            }
        }
    }

    fn digits(&mut self) -> Option<()> {
        let from = self.at;
        while matches!(self.peek(), 0x30..=0x39) {
            self.at += 1;
        }
        (self.at > from).then_some(())
    }

    fn number(&mut self) -> Option<Json> {
        let from = self.at;
        self.take(b'-');
        if !self.take(b'0') {
            self.digits()?;
        }
        if self.take(b'.') {
            self.digits()?;
        }
        if self.take(b'e') || self.take(b'E') {
            if !self.take(b'+') {
                self.take(b'-');
            }
            self.digits()?;
        }
        let digits = lossy(part(self.units, from, self.at));
        Some(Json::Word(as_javascript_prints(&digits)))
    }

    fn string(&mut self) -> Option<Text> {
        if !self.take(b'"') {
            return None;
        }
        let mut text = Vec::new();
        loop {
            let from = self.at;
            while self.at < self.units.len() && !matches!(self.peek(), 0x22 | 0x5c | 0..0x20) {
                self.at += 1;
            }
            text.extend_from_slice(part(self.units, from, self.at));
            if self.take(b'"') {
                return Some(Text::from_units(&text));
            }
            if !self.take(b'\\') {
                return None;
            }
            text.push(self.escape()?);
        }
    }

    fn escape(&mut self) -> Option<u16> {
        let unit = self.peek();
        self.at += 1;
        Some(match unit {
            0x22 | 0x5c | 0x2f => unit,
            0x62 => 0x08,
            0x66 => 0x0c,
            0x6e => 0x0a,
            0x72 => 0x0d,
            0x74 => 0x09,
            0x75 => {
                let mut unit = 0;
                for _ in 0..4 {
                    let digit = char::from_u32(self.peek().into())?.to_digit(16)?;
                    unit = unit << 4 | digit as u16;
                    self.at += 1;
                }
                unit
            }
            _ => return None,
        })
    }

    /// An array or an object.
    fn list(&mut self, depth: usize) -> Option<Json> {
        let is_object = self.take(b'{');
        self.at += usize::from(!is_object);
        let close = if is_object { b'}' } else { b']' };
        let mut entries = Vec::new();
        self.blank();
        while !self.take(close) {
            if !entries.is_empty() && !self.take(b',') {
                return None;
            }
            let mut key = Text::default();
            if is_object {
                self.blank();
                key = self.string()?;
                self.blank();
                if !self.take(b':') {
                    return None;
                }
            }
            let value = self.value(depth + 1)?;
            entries.push((key, value));
            self.blank();
        }
        if is_object {
            entries = in_javascript_order(entries);
        }
        Some(Json::List { is_object, entries })
    }
}

/// The places of the entries in order of key; those of equal keys in order of place.
fn key_order(entries: &[(Text, Json)]) -> Vec<usize> {
    let is_less = |a: usize, b: usize| entries[a].0.cmp_units(&entries[b].0).is_lt();
    order(entries.len(), &is_less)
}

/// Of a key that is written twice, the later value counts, at the earlier place. Integers go first.
fn in_javascript_order(mut entries: Vec<(Text, Json)>) -> Vec<(Text, Json)> {
    let mut is_twice = vec![false; entries.len()];
    let mut first = 0;
    for &place in &key_order(&entries) {
        if first != place && entries[first].0 == entries[place].0 {
            entries.swap(first, place);
            is_twice[place] = true;
        } else {
            first = place;
        }
    }
    let mut sorted = Vec::with_capacity(entries.len());
    let is_less = |a: usize, b: usize| integer(&entries[a].0) < integer(&entries[b].0);
    for &place in &order(entries.len(), &is_less) {
        if !is_twice[place] {
            let empty = (Text::default(), Json::Word(String::new()));
            sorted.push(std::mem::replace(&mut entries[place], empty));
        }
    }
    sorted
}

/// A key that JavaScript puts first: an integer below 2^32 - 1 in its shortest form. Others come
/// behind.
fn integer(key: &Text) -> u32 {
    const OTHER: u32 = u32::MAX;
    let Text::Ascii(digits) = key else {
        return OTHER;
    };
    let is_shortest = digits.len() == 1 || (digits.first() != Some(&b'0') && digits.len() <= 10);
    if !is_shortest || digits.is_empty() {
        return OTHER;
    }
    let mut number: u64 = 0;
    for digit in digits.iter() {
        if !digit.is_ascii_digit() {
            return OTHER;
        }
        number = number * 10 + u64::from(digit - b'0');
    }
    u32::try_from(number).unwrap_or(OTHER)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Option<Json> {
        Json::parse(&text.encode_utf16().collect::<Vec<_>>())
    }

    fn printed(text: &str) -> String {
        parse(text).expect(text).printed().to_string()
    }

    fn canonical(text: &str) -> String {
        parse(text).expect(text).canonical()
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
            assert_eq!(parse(text), None, "{text}");
        }
        assert_eq!(parse(&"[".repeat(100_000)), None);
    }
}
