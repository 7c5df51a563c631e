//! JSON as agents write it, read as JavaScript reads it.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{
    DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor,
};

use super::error::{JsonError, TOO_DEEP};
use super::reader::{ends_objects, read_value, split_numbers};
use super::strings::{UNIT_ESCAPE, unit_of};
use super::value::Json;

/// No agent nests values deeper.
pub const MAX_DEPTH: usize = 1_000;

/// Reads a value. JavaScript reads three things that JSON's other readers refuse: half of a surrogate pair, which
/// becomes U+FFFD, values that are nested deep, of which this reads [`MAX_DEPTH`] levels, and numbers that are too large,
/// which count as none. A text with one of them, or with bytes that are not UTF-8, is put into `room` with
/// others in their place, and read from there.
///
/// # Errors
/// For a text that is no JSON.
pub fn parse<'a>(text: &'a [u8], room: &'a mut Vec<u8>) -> Result<Json<'a>, JsonError> {
    if READS_QUICKLY
        && let Ok(text) = str::from_utf8(text)
        && let Some(value) = read_value(text, Unread::NONE)
    {
        return Ok(value);
    }
    parse_as(text, room)
}

/// Whether JSON is read many bytes at a time. Most modules have serde's reader alone, for their size.
const READS_QUICKLY: bool = cfg!(any(not(target_arch = "wasm32"), feature = "quick-json"));

/// The same in the place of the text, which is of no use afterwards; `None` for a text that is no JSON.
pub fn parse_in_place(text: &mut Vec<u8>) -> Option<Json<'_>> {
    if str::from_utf8(text).is_err() {
        *text = String::from_utf8_lossy(text).into_owned().into_bytes();
    }
    read_value(text.as_mut_slice(), Unread::NONE)
}

/// The fields of an object, or of each object of a list, that nobody reads: they are passed over, which takes a
/// fraction of the time and no memory.
#[derive(Debug, PartialEq, Eq)]
pub struct Unread {
    /// Their names.
    pub fields: &'static [&'static str],
    /// Fields with more that nobody reads within them.
    pub within: &'static [(&'static str, &'static Self)],
}

impl Unread {
    /// All is read.
    pub const NONE: &'static Self = &Self {
        fields: &[],
        within: &[],
    };

    /// Nobody reads fields of these names.
    pub const fn fields(fields: &'static [&'static str]) -> Self {
        Self {
            fields,
            within: &[],
        }
    }

    pub(super) fn within(&self, name: &str) -> &'static Self {
        let found = self.within.iter().find(|(field, _)| *field == name);
        found.map_or(Self::NONE, |(_, unread)| unread)
    }
}

/// Reads a value without the fields that nobody reads, as [`parse`] does. What is passed over is JSON, too.
///
/// # Errors
/// For a text that is no JSON.
pub fn parse_but<'a>(
    text: &'a str,
    unread: &'static Unread,
    room: &'a mut Vec<u8>,
) -> Result<Json<'a>, JsonError> {
    if READS_QUICKLY && let Some(value) = read_value(text, unread) {
        return Ok(value);
    }
    let seed = Nested::<true> {
        left: MAX_DEPTH,
        unread,
    };
    read_or_mend(text.as_bytes(), seed, room)
}

/// The place within JSON where something has been read of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Within a string that is a value of an object.
    InString,
    /// After a value of an object.
    AfterValue,
}

/// Whether JSON from a place in the innermost of some objects, each within the one before, goes on with fields of names
/// other than these in all but the outermost until they all end, and with nothing after them. Where JSON is not read
/// quickly, the answer is always no.
pub fn ends_without(rest: &str, place: Place, objects: usize, names: &[&str]) -> bool {
    READS_QUICKLY && ends_objects(rest, place, objects, names)
}

/// The fields of an object of whole numbers that a text begins with, if it is as [`written`](super::written) writes it,
/// and what follows it. Where JSON is not read quickly, there is none.
pub fn numbers_in<'a>(text: &'a str, take: impl FnMut(&'a str, f64)) -> Option<&'a str> {
    match READS_QUICKLY {
        true => split_numbers(text, take),
        false => None,
    }
}

/// The number that a text is, or null if it is too large; `None` if it is no number.
pub(super) fn read_number(text: &[u8]) -> Option<Json<'static>> {
    match read(text, PhantomData::<f64>) {
        Ok(number) => Some(Json::Number(number)),
        Err(why) => {
            // It reads no further than to the digit at which it is too large.
            let mut rest = text.get(why.column()..)?.iter();
            let is_too_large = why.to_string().starts_with("number out of range");
            (is_too_large && rest.all(u8::is_ascii_digit)).then_some(Json::Null)
        }
    }
}

/// Reads a value of a type, as [`parse`] does.
///
/// # Errors
/// For a text that is no JSON, or of none of the type's.
pub fn parse_as<'a, T: Deserialize<'a>>(
    text: &'a [u8],
    room: &'a mut Vec<u8>,
) -> Result<T, JsonError> {
    read_or_mend(text, PhantomData::<T>, room)
}

fn read_or_mend<'a, S: DeserializeSeed<'a> + Copy>(
    text: &'a [u8],
    seed: S,
    room: &'a mut Vec<u8>,
) -> Result<S::Value, JsonError> {
    match read(text, seed) {
        Ok(value) => Ok(value),
        Err(_) => {
            *room = mended(text);
            read(room, seed).map_err(JsonError)
        }
    }
}

fn read<'a, S: DeserializeSeed<'a>>(
    text: &'a [u8],
    seed: S,
) -> Result<S::Value, serde_json::Error> {
    // The bytes are checked all at once, which is faster than a string at a time.
    let text = str::from_utf8(text).map_err(serde_json::Error::custom)?;
    let mut reader = serde_json::Deserializer::from_str(text);
    reader.disable_recursion_limit();
    let value = seed.deserialize(&mut reader)?;
    reader.end()?;
    Ok(value)
}

/// The text with U+FFFD for each half of a surrogate pair and for bytes that are not UTF-8, and `null` for each
/// number that is too large. It is as long as before, if it was UTF-8.
fn mended(text: &[u8]) -> Vec<u8> {
    let mut bytes = String::from_utf8_lossy(text).into_owned().into_bytes();
    let mut at = 0;
    while at < bytes.len() {
        at = match bytes[at] {
            b'"' => mend_string(&mut bytes, at + 1),
            b'-' | b'0'..=b'9' => mend_number(&mut bytes, at),
            _ => at + 1,
        };
    }
    bytes
}

/// Mends the string whose text begins at `at`, and answers with the place after it.
fn mend_string(bytes: &mut [u8], mut at: usize) -> usize {
    while at < bytes.len() {
        match bytes[at] {
            b'"' => return at + 1,
            b'\\' => match [at, at + UNIT_ESCAPE].map(|at| unit_of(bytes.get(at..)?)) {
                [Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)] => at += 2 * UNIT_ESCAPE,
                [Some(0xd800..=0xdfff), _] => {
                    bytes[at..at + UNIT_ESCAPE].copy_from_slice(br"\ufffd");
                    at += UNIT_ESCAPE;
                }
                _ => at += 2,
            },
            _ => at += 1,
        }
    }
    at
}

/// Mends the number that begins at `at`, and answers with the place after it.
fn mend_number(bytes: &mut [u8], at: usize) -> usize {
    let is_of_number = |byte: &u8| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
    let length = bytes[at..].iter().take_while(|it| is_of_number(it)).count();
    let digits = &mut bytes[at..at + length];
    if read_number(digits) == Some(Json::Null) {
        digits.fill(b' ');
        digits[..NULL.len()].copy_from_slice(NULL);
    }
    at + length
}

/// It is no longer than the shortest number that is too large.
const NULL: &[u8] = b"null";

/// Reads a value within which this many levels may be. One that passes nothing over is smaller.
#[derive(Clone, Copy)]
struct Nested<const PASSES: bool> {
    left: usize,
    unread: &'static Unread,
}

impl Nested<false> {
    fn levels(left: usize) -> Self {
        Self {
            left,
            unread: Unread::NONE,
        }
    }
}

impl<const PASSES: bool> Nested<PASSES> {
    fn inner<E: serde::de::Error>(self) -> Result<Self, E> {
        let left = self.left.checked_sub(1);
        left.map(|left| Self { left, ..self })
            .ok_or_else(|| E::custom(TOO_DEEP))
    }
}

impl<'de, const PASSES: bool> DeserializeSeed<'de> for Nested<PASSES> {
    type Value = Json<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json<'de>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, const PASSES: bool> Visitor<'de> for Nested<PASSES> {
    type Value = Json<'de>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Json<'de>, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json<'de>, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json<'de>, E> {
        Ok(Json::Number(value as f64))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json<'de>, E> {
        Ok(Json::Number(value as f64))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Json<'de>, E> {
        Ok(Json::Number(value))
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Json<'de>, E> {
        Ok(Json::Text(text.into()))
    }

    fn visit_str<E>(self, text: &str) -> Result<Json<'de>, E> {
        Ok(Json::Text(text.to_owned().into()))
    }

    fn visit_string<E>(self, text: String) -> Result<Json<'de>, E> {
        Ok(Json::Text(text.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json<'de>, A::Error> {
        let inner = self.inner()?;
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(inner)? {
            list.push(item);
        }
        Ok(Json::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Json<'de>, A::Error> {
        let inner = self.inner()?;
        let mut object = Vec::new();
        while let Some(Name(name)) = fields.next_key()? {
            if !PASSES {
                object.push((name, fields.next_value_seed(inner)?));
            } else if self.unread.fields.contains(&name.as_ref()) {
                fields.next_value::<IgnoredAny>()?;
            } else {
                let unread = self.unread.within(&name);
                object.push((name, fields.next_value_seed(Self { unread, ..inner })?));
            }
        }
        Ok(Json::Object(object))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Json<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Nested::levels(MAX_DEPTH).deserialize(deserializer)
    }
}

/// A key of an object.
struct Name<'a>(Cow<'a, str>);

impl<'de> Deserialize<'de> for Name<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Whoever asks for a string alone has all that may be said of other values in the module.
        match deserializer.deserialize_any(Nested::levels(0))? {
            Json::Text(name) => Ok(Self(name)),
            _ => Err(D::Error::custom("a key is a string")),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;
    use crate::json::written;

    /// A text that is read and written again; `None` if it was no JSON.
    fn read_back(text: impl AsRef<[u8]>) -> Option<String> {
        let mut room = Vec::new();
        let value = parse(text.as_ref(), &mut room).ok()?;
        Some(written(&value))
    }

    #[test]
    fn what_javascript_reads_is_read() {
        let table = [
            (r#""\ud83d""#, "\"\u{fffd}\""),
            (
                r#""\ude00\ud83d\ud83d\ude00\\ud83d""#,
                "\"\u{fffd}\u{fffd}😀\\\\ud83d\"",
            ),
            ("[1e400,-1e400,1]", "[null,null,1]"),
            ("[-1.5e+99999999999999999999,1e-9999]", "[null,0]"),
            (r#"{"1e400":"1e400"}"#, r#"{"1e400":"1e400"}"#),
            ("18446744073709551616", "18446744073709552000"),
            ("-0.0", "0"),
            (" {} ", "{}"),
        ];
        for (text, expected) in table {
            assert_eq!(read_back(text).as_deref(), Some(expected), "{text}");
        }
        assert_eq!(read_back(b"\"\xff\"").as_deref(), Some("\"\u{fffd}\""));
    }

    #[test]
    fn what_nobody_reads_is_passed_over_and_is_json_all_the_same() {
        const INNER: &Unread = &Unread {
            fields: &["x"],
            within: &[],
        };
        const UNREAD: &Unread = &Unread {
            fields: &["a"],
            within: &[("b", INNER)],
        };
        let read = |text: &str| {
            let mut room = Vec::new();
            let value = parse_but(text, UNREAD, &mut room).map(Json::into_owned);
            value.ok().map(|value| written(&value))
        };
        for (text, expected) in [
            (
                r#"{"a":{"b":["\""]},"x":1,"b":[{"x":2,"y":{"x":3}}]}"#,
                r#"{"x":1,"b":[{"y":{"x":3}}]}"#,
            ),
            (
                r#"{"\u0061":1,"b":{"x":[],"y":2},"c":"\ud83d"}"#,
                "{\"b\":{\"y\":2},\"c\":\"\u{fffd}\"}",
            ),
            (r#"[{"a":1}]"#, "[{}]"),
        ] {
            assert_eq!(read(text).as_deref(), Some(expected), "{text}");
        }
        for text in [r#"{"a":[1,]}"#, r#"{"a":"\x"}"#, r#"{"a":1"#] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn an_object_of_whole_numbers_is_taken_where_it_is_written_in_one_way() {
        let of = |text: &str| {
            let mut fields = Vec::new();
            let rest = numbers_in(text, |name, number| fields.push(format!("{name} {number}")))?;
            Some((fields.join(","), rest.to_owned()))
        };
        let told = |fields: &str, rest: &str| Some((fields.to_owned(), rest.to_owned()));
        assert_eq!(of(r#"{"a":0,"é":10},1"#), told("a 0,é 10", ",1"));
        assert_eq!(
            of(r#"{"a":123456789012345}"#),
            told("a 123456789012345", "")
        );
        for text in [
            "",
            "[1]",
            "{}",
            r#"{"a":"#,
            r#"{"a":}"#,
            r#"{"a":1"#,
            r#"{"a":1,}"#,
            r#"{"a":1]"#,
            r#"{"a":-1}"#,
            r#"{"a":01}"#,
            r#"{"a":1.0}"#,
            r#"{"a":1e3}"#,
            r#"{"a":null}"#,
            r#"{"a":1234567890123456}"#,
            r#"{"a": 1}"#,
            r#"{ "a":1}"#,
            r#"{"\u0061":1}"#,
            "{\"\n\":1}",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_no_json_is_refused() {
        for text in [
            "",
            "{",
            "[1,]",
            "01",
            "1 2",
            "nul",
            "\"\n\"",
            "1e",
            "-",
            "\"\\ud8",
            "1e400.5",
            "1e400-",
            "1e99999999999999999999.5",
            "01e400",
        ] {
            assert_eq!(read_back(text), None, "{text}");
        }
    }

    #[test]
    fn a_thousand_levels_are_read_and_no_more() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(read_back(nested(MAX_DEPTH)).is_some());
        let mut room = Vec::new();
        let error = parse(nested(MAX_DEPTH + 1).as_bytes(), &mut room).map(|_| ());
        assert!(error.is_err_and(|it| it.is_too_deep()));
        assert!(read_back("[".repeat(1_000_000)).is_none());
    }

    #[test]
    fn texts_without_escapes_are_borrowed_and_the_last_of_equal_keys_counts() {
        let mut room = Vec::new();
        let value = parse(br#"{"a":"x","b":"\n","a":"y"}"#, &mut room).expect("JSON");
        assert!(matches!(
            value.get("a"),
            Some(Json::Text(Cow::Borrowed("y")))
        ));
        assert!(matches!(value.get("b"), Some(Json::Text(Cow::Owned(_)))));
        assert_eq!(value.to_value()["a"], "y");
    }

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            (-1e9..1e9).prop_map(Value::from),
            ".{0,8}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 32, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map(".{0,4}", inner, 0..4)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn values_are_read_as_serde_reads_them(value in values()) {
            let text = value.to_string();
            let expected: Value = serde_json::from_str(&text).expect("JSON");
            prop_assert_eq!(read_back(text), Some(written(&expected)));
        }

        #[test]
        fn all_texts_are_read_as_serde_reads_them(
            parts in prop::collection::vec(
                prop_oneof![
                    "[\\[\\]{}:, ]", "-?[0-9]{1,22}(\\.[0-9]{1,3})?([eE][+-]?[0-9]{1,3})?",
                    "\"[a-zé😀\n]{0,40}(\\\\([\"\\\\/bfnrtx]|u(00[0-9a-f]{2}|[dD][8-f]0[0-9A-F])|u[0-9]{0,3})){0,3}[a-z]{0,20}\"",
                    "\"([a-z]{0,30}\\\\{0,5}[n\"/bu\n]?){0,12}\"",
                    "true|false|null|tru|\""
                ],
                0..8
            ),
            shape in 0..4,
        ) {
            let text = match shape {
                0 => parts.concat(),
                1 => format!("[{}]", parts.join(",")),
                2 => format!("{{{}}}", parts.join(" : ")),
                _ => format!("{{\"\\u0061\":{}}}", parts.join(",\"b\":")),
            };
            let mended = mended(text.as_bytes());
            let expected = read(&mended, PhantomData::<Json>).ok();
            prop_assert_eq!(&read_value(text.as_str(), Unread::NONE), &expected);
            let is_json = expected.is_some();
            let mut place = text.clone().into_bytes();
            prop_assert_eq!(parse_in_place(&mut place), expected);
            let holder = format!("{{\"x\":{text}}}");
            const UNREAD: &Unread = &Unread { fields: &["x"], within: &[] };
            prop_assert!(read_value(holder.as_str(), UNREAD).is_some() || !is_json);
        }

        #[test]
        fn numbers_are_written_as_they_were(text in r#"\{("[aé\\"\n]?[a-z]": ?-?[0-9]{1,17}[,}.]){1,3}"#) {
            if let Some(rest) = numbers_in(&text, |_, _| ()) {
                let object = &text[..text.len() - rest.len()];
                let read = read_back(object);
                prop_assert_eq!(read.as_deref(), Some(object));
            }
        }

        #[test]
        fn no_bytes_are_too_strange(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            read_back(bytes);
        }

        #[test]
        fn what_is_mended_is_as_long(text in r#"[\[\]"\\udDcC8ef01,:-]{0,40}"#) {
            prop_assert_eq!(mended(text.as_bytes()).len(), text.len());
        }
    }
}
