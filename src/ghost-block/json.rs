//! JSON as JavaScript reads and prints it, over UTF-16, where a surrogate may be unpaired.

use super::syntax::{part, starts_with, unit_at};
use turnkeeper_base::json::place_of_key;
use turnkeeper_base::order;
use turnkeeper_base::sorted_map::SortedMap;
use turnkeeper_base::text::{Builder, Text, lossy};

/// The block's tag, which no string in the block has in it.
pub(crate) const TAG: &str = "content_reference";

/// Deeper nesting is refused.
const DEEPEST: usize = 100;

/// A JSON value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Json {
    /// `null`, `true`, `false`, or a number as JavaScript prints the double nearest to it, if that is exact.
    Word(String),
    Text(Text),
    Array(Vec<Json>),
    /// In JavaScript's order: integers ascending, then as written.
    Object(Vec<Property>),
}

/// A property of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Property {
    pub(crate) key: Text,
    pub(crate) value: Json,
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
        reader.skip_blanks();
        (reader.at == units.len()).then_some(value)
    }

    /// The items of an array; none of anything else.
    pub(crate) fn items(&self) -> &[Json] {
        match self {
            Self::Array(items) => items,
            _ => &[],
        }
    }

    /// The properties of an object; none of anything else.
    pub(crate) fn properties(&self) -> &[Property] {
        match self {
            Self::Object(properties) => properties,
            _ => &[],
        }
    }

    /// A property of an object.
    pub(crate) fn get(&self, name: &str) -> Option<&Json> {
        let name = Text::from(name);
        let property = self.properties().iter().find(|it| it.key == name)?;
        Some(&property.value)
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
        let mut out = Builder::default();
        self.print(Some(0), &mut out);
        out.into_text()
    }

    /// On one line, with the keys of every object sorted: equal for equal values.
    pub(crate) fn canonical(&self) -> String {
        let mut out = Builder::default();
        self.print(None, &mut out);
        out.into_text().to_lossy()
    }

    /// Prints on a line that is indented by a number of steps, or else in the canonical form.
    pub(crate) fn print(&self, indent: Option<usize>, out: &mut Builder) {
        let (open, close) = match self {
            Self::Word(word) => return out.ascii(word),
            Self::Text(text) => return out.json_string(text, TAG),
            Self::Array(_) => ("[", "]"),
            Self::Object(_) => ("{", "}"),
        };
        let mut is_first = true;
        let mut begin = |out: &mut Builder| {
            let is_first = std::mem::take(&mut is_first);
            match indent {
                Some(indent) => line(is_first, indent + 1, out),
                None => out.ascii(if is_first { "" } else { "," }),
            }
        };
        let within = indent.map(|indent| indent + 1);
        out.ascii(open);
        for item in self.items() {
            begin(out);
            item.print(within, out);
        }
        let mut properties: Vec<&Property> = self.properties().iter().collect();
        if indent.is_none() {
            // No key is there twice.
            order::sort_by(&mut properties, |a, b| a.key.cmp(&b.key));
        }
        for property in properties {
            begin(out);
            out.json_string(&property.key, TAG);
            out.ascii(if indent.is_none() { ":" } else { ": " });
            property.value.print(within, out);
        }
        if let Some(indent) = indent
            && !is_first
        {
            line(true, indent, out);
        }
        out.ascii(close);
    }
}

/// Begins a line within an array or object; all but the first follow a comma.
pub(crate) fn line(is_first: bool, indent: usize, out: &mut Builder) {
    out.ascii(if is_first { "\n" } else { ",\n" });
    for _ in 0..indent {
        out.ascii("  ");
    }
}

/// JSON's number as `JSON.stringify` prints it; one of more digits than a double can hold, or beyond
/// its powers of ten that are exact, stays as it is written, so that nothing of it is lost.
fn as_javascript_prints(number: &str) -> String {
    match exact_double(number) {
        Some(double) => ryu_js::Buffer::new().format(double).to_owned(),
        None => number.to_owned(),
    }
}

/// The double nearest to a number whose digits and power of ten are doubles themselves: then one
/// multiplication or division rounds once, and right.
fn exact_double(number: &str) -> Option<f64> {
    const MOST_DIGITS: u64 = 1 << f64::MANTISSA_DIGITS;
    const MOST_POWER: u32 = 22;
    let number = number.to_ascii_lowercase();
    let (digits, exponent) = number.split_once('e').unwrap_or((&number, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let digits: i64 = format!("{whole}{fraction}").parse().ok()?;
    let exponent: i32 = exponent.parse().ok()?;
    let exponent = exponent.checked_sub(fraction.len() as i32)?;
    if digits.unsigned_abs() > MOST_DIGITS || exponent.unsigned_abs() > MOST_POWER {
        return None;
    }
    let power = (0..exponent.unsigned_abs()).fold(1.0, |power, _| power * 10.0);
    let digits = digits as f64;
    Some(if exponent < 0 {
        digits / power
    } else {
        digits * power
    })
}

struct Reader<'a> {
    units: &'a [u16],
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> u16 {
        unit_at(self.units, self.at)
    }

    fn skip_blanks(&mut self) {
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
        self.skip_blanks();
        match self.peek() {
            0x22 => Some(Json::Text(self.string()?)),
            0x5b => self.array(depth),
            0x7b => self.object(depth),
            0x2d | 0x30..=0x39 => self.number(),
            _ => {
                let rest = part(self.units, self.at, self.units.len());
                let mut words = ["true", "false", "null"].into_iter();
                let word = words.find(|word| starts_with(rest, word))?;
                self.at += word.len();
                Some(Json::Word(word.to_owned()))
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

    fn array(&mut self, depth: usize) -> Option<Json> {
        self.take(b'[');
        let mut items = Vec::new();
        self.skip_blanks();
        while !self.take(b']') {
            if !items.is_empty() && !self.take(b',') {
                return None;
            }
            items.push(self.value(depth + 1)?);
            self.skip_blanks();
        }
        Some(Json::Array(items))
    }

    fn object(&mut self, depth: usize) -> Option<Json> {
        self.take(b'{');
        let mut properties: Vec<Property> = Vec::new();
        let mut places = SortedMap::new();
        self.skip_blanks();
        while !self.take(b'}') {
            if !properties.is_empty() && !self.take(b',') {
                return None;
            }
            self.skip_blanks();
            let key = self.string()?;
            self.skip_blanks();
            if !self.take(b':') {
                return None;
            }
            let value = self.value(depth + 1)?;
            // Of a key that is written twice, the later value counts, at the earlier place.
            let place = *places.get_or_insert_with(key.clone(), || properties.len());
            match properties.get_mut(place) {
                Some(earlier) => earlier.value = value,
                None => properties.push(Property { key, value }),
            }
            self.skip_blanks();
        }
        order::sort_by_key(&mut properties, |property| match &property.key {
            Text::Ascii(key) => place_of_key(key),
            Text::Wide(_) => u32::MAX,
        });
        Some(Json::Object(properties))
    }
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
    fn numbers_are_those_that_the_standard_library_reads() {
        for number in [
            "0", "-0", "-0.0", "10", "1.50", "0.1", "123.456e5", "1E-7", "9007199254740992",
            "1e22", "-7.25e-20", "0.000001",
        ] {
            let double: f64 = number.parse().expect("a number");
            let expected = ryu_js::Buffer::new().format(double).to_owned();
            assert_eq!(as_javascript_prints(number), expected, "{number}");
        }
    }

    #[test]
    fn a_number_that_no_double_holds_stays_as_it_is_written() {
        for number in [
            "9007199254740993",
            "4503599627370497.5",
            "1e400",
            "1E23",
            "0.12345678901234567890",
            "-1e-300",
            "1e99999999999",
        ] {
            assert_eq!(as_javascript_prints(number), number);
        }
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
            "", "{", "[1,]", "{\"a\":1,}", "01", "1.", "-", "+1", "\"\n\"", "\"\\x\"",
            "\"\\u12g4\"", "tru", "nulll", "{a:1}", "1 2", "'a'", "\"a",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
        assert_eq!(parse(&"[".repeat(100_000)), None);
    }
}
