//! Tool calls in one canonical form, so that equal calls are equal bytes.
//!
//! A call is encoded as its name followed by its arguments. JavaScript writes the same encoding
//! straight into Wasm memory (`js/src/call-encoder.ts`), so a call crosses the boundary once, as
//! bytes, and neither side builds JSON on the way:
//!
//! | value | bytes |
//! |---|---|
//! | no arguments | `u` |
//! | null, true, false | `n`, `t`, `f` |
//! | number | `d`, its length (one byte), its digits as JavaScript prints them |
//! | string, ASCII only | `s`, its length (u32, little-endian), its bytes |
//! | any other string | `w`, its UTF-16 length (u32), its code units (u16) |
//! | array | `[`, the items, `]` |
//! | object | `{`, key and value in turn, keys sorted by code units, `}` |
//!
//! Arguments given as a JSON string are encoded as the value that they hold; a string that is not
//! JSON stands for itself. Where more than the value is compared, a string of its own says it: how the
//! arguments were spelt, or in which order their keys came ([`order_of`]).

use serde_json::Value;

use crate::hash::{fingerprint, sha256_hex};
use crate::text::{excerpt, next_character, push_character};
use turnkeeper_kernels::units_from_le_bytes;

/// Arguments nested deeper than this are refused as an object, and stand for themselves as a
/// string. It is also how deep `serde_json` reads.
pub const MAX_ARGUMENT_DEPTH: usize = 127;

/// One tool call in canonical form.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Call<'a> {
    bytes: &'a [u8],
    arguments_at: usize,
}

impl<'a> Call<'a> {
    /// Reads an encoding; `None` if it is none.
    pub(crate) fn decode(bytes: &'a [u8]) -> Option<Self> {
        let mut reader = Reader { bytes, at: 0 };
        matches!(reader.tag()?, b's' | b'w').then_some(())?;
        reader.at = 0;
        reader.skip_string()?;
        (reader.at < bytes.len()).then_some(Self {
            bytes,
            arguments_at: reader.at,
        })
    }

    /// Equal for equal calls, whatever the key order of their arguments.
    pub(crate) fn fingerprint(&self) -> u64 {
        fingerprint(self.bytes)
    }

    /// Equal for calls of one tool.
    pub(crate) fn tool_fingerprint(&self) -> u64 {
        fingerprint(&self.bytes[..self.arguments_at])
    }

    /// The tool's name; an unpaired surrogate shows as U+FFFD.
    pub(crate) fn tool(&self) -> String {
        let mut tool = String::new();
        let mut reader = Reader {
            bytes: self.bytes,
            at: 0,
        };
        reader.string(&mut tool, false);
        tool
    }

    /// The tool's name.
    pub(crate) fn name(&self) -> Units<'a> {
        Encoded(self.bytes).units()
    }

    /// Whether it is a call of the tool with this name, of ASCII.
    pub(crate) fn is_of(&self, tool: &str) -> bool {
        self.name().is(tool)
    }

    /// The arguments' encoding.
    pub(crate) fn arguments(&self) -> Encoded<'a> {
        Encoded(&self.bytes[self.arguments_at..])
    }

    /// Whether the call carries arguments, be they `null` or empty.
    pub(crate) fn has_arguments(&self) -> bool {
        self.bytes[self.arguments_at] != b'u'
    }

    /// Adds the arguments as `JSON.stringify` prints them with sorted keys; nothing without
    /// arguments.
    fn push_arguments(&self, json: &mut String) {
        let mut reader = Reader {
            bytes: self.bytes,
            at: self.arguments_at,
        };
        reader.value(json);
    }

    /// The tool and the arguments with `between` them.
    fn text(&self, between: char) -> String {
        let mut text = self.tool();
        text.push(between);
        self.push_arguments(&mut text);
        text
    }

    /// SHA-256 of `name:arguments`, 64 lower-case hexadecimal characters.
    pub(crate) fn key(&self) -> String {
        sha256_hex(self.text(':').as_bytes())
    }

    /// The call as a person would write it, at most `limit` UTF-16 units.
    pub(crate) fn excerpt(&self, limit: usize) -> String {
        excerpt(&self.text(' '), limit)
    }
}

/// A value of an encoding, and perhaps more behind it.
#[derive(Clone, Copy)]
pub(crate) struct Encoded<'a>(pub(crate) &'a [u8]);

impl<'a> Encoded<'a> {
    /// The first byte, 0 of nothing.
    pub(crate) fn tag(self) -> u8 {
        self.0.first().copied().unwrap_or(0)
    }

    /// What is behind the first byte.
    pub(crate) fn inner(self) -> Encoded<'a> {
        Encoded(self.0.get(1..).unwrap_or_default())
    }

    /// A number's digits.
    pub(crate) fn digits(self) -> Units<'a> {
        Units {
            wide: false,
            bytes: self.0.get(2..).unwrap_or_default(),
        }
    }

    /// The first value, if there is one, and what is behind it.
    #[inline(never)]
    pub(crate) fn split(self) -> (Encoded<'a>, Encoded<'a>) {
        let mut reader = Reader {
            bytes: self.0,
            at: 0,
        };
        let length = reader.skip().map_or(0, |()| reader.at);
        (Encoded(&self.0[..length]), Encoded(&self.0[length..]))
    }

    /// The value of an object's key, or of nothing.
    pub(crate) fn field(self, name: &str) -> Encoded<'a> {
        let mut rest = Encoded(self.0.strip_prefix(b"{").unwrap_or_default());
        loop {
            let (key, behind) = rest.split();
            let (value, behind) = behind.split();
            if value.0.is_empty() || key.units().is(name) {
                return value;
            }
            rest = behind;
        }
    }

    /// A string's units; none of anything else.
    #[inline(never)]
    pub(crate) fn units(self) -> Units<'a> {
        let mut reader = Reader {
            bytes: self.0,
            at: 0,
        };
        let (wide, bytes) = match self.0.first() {
            Some(b's' | b'w') => reader.string_bytes().unwrap_or((false, &[])),
            _ => (false, &[][..]),
        };
        Units { wide, bytes }
    }
}

/// The UTF-16 code units of a string.
#[derive(Clone, Copy)]
pub(crate) struct Units<'a> {
    wide: bool,
    bytes: &'a [u8],
}

impl<'a> Units<'a> {
    /// Adds at most so many of the first ones to `out`, and answers with the bytes of those behind.
    #[inline(never)]
    pub(crate) fn push_to(self, count: usize, out: &mut Vec<u16>) -> &'a [u8] {
        let count = count.min(self.len());
        for at in 0..count {
            out.push(self.at(at));
        }
        let end = count << usize::from(self.wide);
        self.bytes.get(end..).unwrap_or_default()
    }

    /// Whether a time or an id may be among the first ones.
    pub(crate) fn may_hold_time(self, among: usize) -> bool {
        let most = among << usize::from(self.wide);
        let first = self.bytes.get(..most).unwrap_or(self.bytes);
        turnkeeper_kernels::may_hold_time(first, self.wide)
    }

    /// Those from a place on.
    pub(crate) fn from(self, place: usize) -> Self {
        let at = place << usize::from(self.wide);
        Self {
            bytes: self.bytes.get(at..).unwrap_or_default(),
            ..self
        }
    }

    pub(crate) fn len(self) -> usize {
        self.bytes.len() >> usize::from(self.wide)
    }

    /// The unit at a place, 0 behind the end.
    #[inline(never)]
    pub(crate) fn at(self, place: usize) -> u16 {
        let at = place << usize::from(self.wide);
        let byte = |at: usize| self.bytes.get(at).copied().unwrap_or(0);
        let high = if self.wide { byte(at + 1) } else { 0 };
        u16::from_le_bytes([byte(at), high])
    }

    /// At most so many of the first ones.
    pub(crate) fn first(self, count: usize) -> Vec<u16> {
        let mut units = Vec::new();
        self.push_to(count, &mut units);
        units
    }

    /// Whether these words of ASCII stand at a place.
    #[inline(never)]
    pub(crate) fn has(self, words: &str, place: usize) -> bool {
        for (at, byte) in words.bytes().enumerate() {
            if self.at(place + at) != u16::from(byte) {
                return false;
            }
        }
        true
    }

    pub(crate) fn is(self, words: &str) -> bool {
        self.len() == words.len() && self.has(words, 0)
    }
}

/// Encodes a call of a native caller into `out`, which is cleared first. `None` if the arguments
/// are nested deeper than [`MAX_ARGUMENT_DEPTH`].
pub(crate) fn encode(name: &str, arguments: Option<&Value>, out: &mut Vec<u8>) -> Option<()> {
    out.clear();
    encode_str(name, out);
    match arguments {
        None => {
            out.push(b'u');
            Some(())
        }
        Some(Value::String(text)) => match serde_json::from_str::<Value>(text) {
            Ok(value) => encode_value(&value, 0, out),
            Err(_) => {
                encode_str(text, out);
                Some(())
            }
        },
        Some(value) => encode_value(value, 0, out),
    }
}

/// Encodes a call that carries no arguments.
pub(crate) fn encode_without_arguments(name: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(2 * name.len() + 6);
    encode_str(name, &mut out);
    out.push(b'u');
    out
}

/// Encodes a value that is neither an array nor an object.
pub(crate) fn encode_plain(value: &Value, out: &mut Vec<u8>) {
    // None of these is too deep.
    let _ = encode_value(value, 0, out);
}

fn encode_value(value: &Value, depth: usize, out: &mut Vec<u8>) -> Option<()> {
    match value {
        Value::Null => out.push(b'n'),
        Value::Bool(true) => out.push(b't'),
        Value::Bool(false) => out.push(b'f'),
        Value::Number(number) => {
            // JavaScript has doubles only; what it cannot hold, it rounds.
            let double = number.as_f64().filter(|double| double.is_finite());
            match double {
                Some(double) => {
                    let mut buffer = ryu_js::Buffer::new();
                    let digits = buffer.format_finite(double).as_bytes();
                    out.push(b'd');
                    out.push(u8::try_from(digits.len()).expect("a double prints in 25 characters"));
                    out.extend_from_slice(digits);
                }
                None => out.push(b'n'),
            }
        }
        Value::String(text) => encode_str(text, out),
        Value::Array(items) => {
            (depth < MAX_ARGUMENT_DEPTH).then_some(())?;
            out.push(b'[');
            for item in items {
                encode_value(item, depth + 1, out)?;
            }
            out.push(b']');
        }
        Value::Object(fields) => {
            (depth < MAX_ARGUMENT_DEPTH).then_some(())?;
            out.push(b'{');
            let mut sorted: Vec<_> = fields.iter().collect();
            sorted.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
            for (key, item) in sorted {
                encode_str(key, out);
                encode_value(item, depth + 1, out)?;
            }
            out.push(b'}');
        }
    }
    Some(())
}

/// In which order the keys of the objects in a value came, those nested less than `least` deep left
/// out; empty if in every one they are sorted.
///
/// The objects are those of the encoding, in its order. For each one there are its keys in
/// JavaScript's order, each behind U+0000, unless they are sorted, and U+0001.
pub(crate) fn order_of(value: &Value, least: usize) -> String {
    let mut order = String::new();
    push_order(value, 0, least, &mut order);
    if order.contains('\0') {
        order
    } else {
        String::new()
    }
}

fn push_order(value: &Value, depth: usize, least: usize, order: &mut String) {
    match value {
        Value::Array(items) => {
            for item in items {
                push_order(item, depth + 1, least, order);
            }
        }
        Value::Object(fields) => {
            let mut given: Vec<_> = fields.iter().collect();
            // Numbers come first, in ascending order.
            given.sort_by_key(|(key, _)| array_index(key).map_or(u64::MAX, u64::from));
            let mut sorted = given.clone();
            sorted.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
            if depth >= least && given != sorted {
                for (key, _) in given {
                    order.push('\0');
                    order.push_str(key);
                }
            }
            order.push('\u{1}');
            for (_, item) in sorted {
                push_order(item, depth + 1, least, order);
            }
        }
        _ => {}
    }
}

/// The number that a key is, if JavaScript takes it for one.
fn array_index(key: &str) -> Option<u32> {
    let index = key.parse::<u32>().ok()?;
    (index != u32::MAX && index.to_string() == key).then_some(index)
}

pub(crate) fn encode_str(text: &str, out: &mut Vec<u8>) {
    // A string is shorter than 4 GB.
    if text.is_ascii() {
        out.push(b's');
        out.extend_from_slice(&(text.len() as u32).to_le_bytes());
        out.extend_from_slice(text.as_bytes());
    } else {
        out.push(b'w');
        out.extend_from_slice(&(text.encode_utf16().count() as u32).to_le_bytes());
        for unit in text.encode_utf16() {
            out.extend_from_slice(&unit.to_le_bytes());
        }
    }
}

/// Walks an encoding, writing JSON. Every step answers `None` at the end of the bytes.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn tag(&mut self) -> Option<u8> {
        let tag = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(tag)
    }

    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let taken = self.bytes.get(self.at..self.at.checked_add(length)?)?;
        self.at += length;
        Some(taken)
    }

    fn string_bytes(&mut self) -> Option<(bool, &'a [u8])> {
        let wide = self.tag()? == b'w';
        let length = self.take(4)?;
        let length = u32::from_le_bytes([length[0], length[1], length[2], length[3]]) as usize;
        Some((
            wide,
            self.take(if wide { length.checked_mul(2)? } else { length })?,
        ))
    }

    fn skip_string(&mut self) -> Option<()> {
        self.string_bytes().map(|_| ())
    }

    /// Passes a value.
    #[inline(never)]
    fn skip(&mut self) -> Option<()> {
        let mut open = 0usize;
        loop {
            match *self.bytes.get(self.at)? {
                b's' | b'w' => self.skip_string()?,
                b'd' => {
                    self.at += 1;
                    let length = usize::from(self.tag()?);
                    self.take(length)?;
                }
                tag => {
                    match tag {
                        b'[' | b'{' => open += 1,
                        b']' | b'}' => open = open.checked_sub(1)?,
                        _ => {}
                    }
                    self.at += 1;
                }
            }
            if open == 0 {
                return Some(());
            }
        }
    }

    fn string(&mut self, json: &mut String, quoted: bool) -> Option<()> {
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

    fn value(&mut self, json: &mut String) -> Option<()> {
        let tag = *self.bytes.get(self.at)?;
        if matches!(tag, b's' | b'w') {
            return self.string(json, true);
        }
        self.at += 1;
        match tag {
            b'u' => {}
            b'n' => json.push_str("null"),
            b't' => json.push_str("true"),
            b'f' => json.push_str("false"),
            b'd' => {
                let length = usize::from(self.tag()?);
                for digit in self.take(length)? {
                    json.push(char::from(*digit));
                }
            }
            b'[' => self.items(json, b']')?,
            b'{' => self.items(json, b'}')?,
            _ => return None,
        }
        Some(())
    }

    /// What stands in the brackets of an array or an object.
    fn items(&mut self, json: &mut String, end: u8) -> Option<()> {
        json.push(if end == b']' { '[' } else { '{' });
        let mut is_first = true;
        while *self.bytes.get(self.at)? != end {
            if !is_first {
                json.push(',');
            }
            is_first = false;
            if end == b'}' {
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn encoded(name: &str, arguments: Option<Value>) -> Vec<u8> {
        let mut out = Vec::new();
        encode(name, arguments.as_ref(), &mut out).expect("not too deep");
        out
    }

    fn canonical(arguments: Value) -> String {
        let bytes = encoded("t", Some(arguments));
        let mut json = String::new();
        let call = Call::decode(&bytes).expect("just encoded");
        call.push_arguments(&mut json);
        json
    }

    #[test]
    fn canonical_json_is_what_json_stringify_prints_with_sorted_keys() {
        assert_eq!(
            canonical(json!({"b": [1.0, -0.0, 1e21, 0.1], "a": {"y": null, "x": true}})),
            r#"{"a":{"x":true,"y":null},"b":[1,0,1e+21,0.1]}"#
        );
        assert_eq!(
            canonical(json!("a\"\\\n\u{1}\u{7f}中😀")),
            "\"a\\\"\\\\\\n\\u0001\u{7f}中😀\""
        );
        assert_eq!(canonical(json!([[], {}, ""])), r#"[[],{},""]"#);
    }

    #[test]
    fn keys_sort_by_utf16_units_as_in_javascript() {
        // U+FF61 sorts behind the surrogates of U+1F600 by code units, before it by code points.
        assert_eq!(
            canonical(json!({"\u{ff61}": 1, "😀": 2})),
            "{\"😀\":2,\"\u{ff61}\":1}"
        );
    }

    #[test]
    fn the_order_of_keys_is_told_apart() {
        let order = |least, value: Value| {
            order_of(&value, least)
                .replace('\0', "_")
                .replace('\u{1}', "|")
        };
        assert_eq!(order(0, json!({"a": {"b": 1, "c": []}, "d": null})), "");
        // Numbers first, as JavaScript has them.
        assert_eq!(
            order(
                0,
                json!({"b": 1, "é": 2, "10": {"y": 1, "x": [{"z": 1}]}, "9": 0})
            ),
            "_9_10_b_é|_y_x||"
        );
        let (first, second) = (json!({"b": 1, "a": 2}), json!({"a": 2, "b": 1}));
        let one = order(0, json!([first, second]));
        assert_eq!(one, "_b_a||");
        assert_ne!(one, order(0, json!([second, first])));
        assert_eq!(order(1, first.clone()), "");
        assert_eq!(order(1, json!({"z": first, "y": second})), "||_b_a|");
    }

    #[test]
    fn values_and_keys_are_found_in_an_encoding() {
        let bytes = encoded(
            "t",
            Some(json!({"a": [{"b": "x"}, 1.5, []], "b": {"a": true}, "é": "ü"})),
        );
        let call = Call::decode(&bytes).expect("encoded");
        let arguments = call.arguments();
        assert!(call.is_of("t") && !call.is_of("tt") && !call.is_of(""));
        assert_eq!(arguments.field("é").0.len(), 0, "ASCII only");
        assert_eq!(arguments.field("b").field("a").0, b"t");
        assert_eq!(arguments.field("c").0, b"");
        assert_eq!(arguments.field("a").field("b").0, b"");
        let (item, rest) = Encoded(&arguments.field("a").0[1..]).split();
        assert_eq!(item.field("b").units().first(9), [u16::from(b'x')]);
        assert!(rest.0.starts_with(b"d\x031.5[]"));
        assert_eq!(Encoded(b"w\x02\0\0\0a\0").units().len(), 0, "cut");
        assert_eq!(Encoded(b"w\x01\0\0\0\xfc\0t").units().first(9), [0xfc]);
    }

    #[test]
    fn a_json_string_is_the_same_call_as_its_value() {
        let object = encoded("t", Some(json!({"a": 1, "b": 2})));
        assert_eq!(
            encoded("t", Some(json!(" {\"b\": 2.0, \"a\":1 }\n"))),
            object
        );
        assert_ne!(encoded("t", Some(json!("{\"b\": 2"))), object);
        assert_eq!(canonical(json!("{\"b\": 2")), "\"{\\\"b\\\": 2\"");
    }

    #[test]
    fn no_arguments_and_null_differ() {
        let none = encoded("t", None);
        let null = encoded("t", Some(Value::Null));
        assert!(!Call::decode(&none).expect("encoded").has_arguments());
        assert!(Call::decode(&null).expect("encoded").has_arguments());
    }

    #[test]
    fn the_key_is_sha256_over_name_and_canonical_json() {
        let bytes = encoded("read_file", Some(json!({"path": "a.ts"})));
        let call = Call::decode(&bytes).expect("encoded");
        assert_eq!(call.tool(), "read_file");
        assert_eq!(call.key(), sha256_hex(br#"read_file:{"path":"a.ts"}"#));
    }

    #[test]
    fn an_unpaired_surrogate_is_escaped_as_javascript_does() {
        let mut bytes = encoded("t", None);
        bytes.pop();
        bytes.extend_from_slice(b"w\x02\0\0\0");
        bytes.extend_from_slice(&[0x3d, 0xd8, 0x61, 0x00]);
        assert_eq!(
            Call::decode(&bytes).expect("encoded").text(' '),
            "t \"\\ud83da\""
        );
    }

    #[test]
    fn what_is_not_an_encoding_is_refused_or_read_as_far_as_it_goes() {
        for bytes in [
            &b""[..],
            b"s",
            b"s\x05\0\0\0ab",
            b"x",
            b"s\x01\0\0\0a",
            b"w\xff\xff\xff\xff",
        ] {
            assert!(Call::decode(bytes).is_none(), "{bytes:?}");
        }
        for rest in [&b"["[..], b"{", b"{s\x01\0\0\0a", b"d\x09", b"?"] {
            let bytes = [b"s\x01\0\0\0a", rest].concat();
            Call::decode(&bytes).expect("has a name").key();
        }
    }

    #[test]
    fn arguments_beyond_the_depth_are_refused() {
        let mut deep = json!(1);
        for _ in 0..MAX_ARGUMENT_DEPTH {
            deep = json!([deep]);
        }
        assert!(encode("t", Some(&deep), &mut Vec::new()).is_some());
        assert!(encode("t", Some(&json!([deep])), &mut Vec::new()).is_none());
    }
}
