//! Tool calls as bytes, so that equal calls are equal bytes.
//!
//! A call is encoded as its name followed by its arguments. JavaScript writes the same encoding
//! straight into Wasm memory (`js/src/boundary/call-encoder.ts`), so a call crosses the boundary once, as
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
//! | object | `{`, key and value in turn, `}` |
//! | what was not read whole | `~`, a value: what could be read of it |
//! | after the name, what identifies the call to its tool | `k`, a string |
//!
//! Arguments given as a JSON string are encoded as the value that they hold; a string that is not
//! JSON stands for itself. Two calls are equal if they are with sorted keys; what else
//! may be compared is up to who compares. Whoever encodes a call sorts its keys or says that it has not ([`KeyOrder`]).

mod cosmetic;
mod encode;
mod encoded;
mod json;
mod sort;
pub(crate) use turnkeeper_base::tag;

pub use self::cosmetic::CosmeticArguments;
pub(crate) use self::encode::{borrowed, encode, encode_plain};
pub use self::encode::{encode_str, tool_fingerprints};
pub use self::encoded::{Encoded, Units};

use std::cell::OnceCell;

use self::json::push_json;
use turnkeeper_base::text::excerpt;
use turnkeeper_base::text::hash::{fingerprint, sha256_hex};

pub use turnkeeper_base::tag::MAX_ARGUMENT_DEPTH;

/// An argument of which more is encoded, in bytes, is shown after the others.
const LONG_VALUE: usize = 64;

/// The order in which the keys of an encoding come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyOrder {
    /// By their UTF-16 code units: whoever encoded the call has sorted them.
    Sorted,
    /// As the host gave them.
    AsGiven,
}

/// One tool call.
#[derive(Debug)]
pub struct Call<'a> {
    as_given: &'a [u8],
    name_end: usize,
    arguments_at: usize,
    key_order: KeyOrder,
    /// The encoding with sorted keys, made when it is first asked for, where it is another one.
    sorted: OnceCell<Option<Vec<u8>>>,
}

impl<'a> Call<'a> {
    /// Reads an encoding; `None` if it is none.
    pub fn decode(encoded: &'a [u8], key_order: KeyOrder) -> Option<Self> {
        let (name, rest) = Encoded(encoded).split();
        let has_key = rest.tag() == tag::KEY;
        let (key, arguments) = match has_key {
            true => rest.inner().split(),
            false => (Encoded::default(), rest),
        };
        let is_call = name.is_string() && key.is_string() == has_key && !arguments.0.is_empty();
        is_call.then_some(Self {
            as_given: encoded,
            name_end: name.0.len(),
            arguments_at: encoded.len() - arguments.0.len(),
            key_order,
            sorted: OnceCell::new(),
        })
    }

    /// The encoding with sorted keys.
    fn bytes(&self) -> &[u8] {
        if self.key_order == KeyOrder::Sorted {
            return self.as_given;
        }
        let sorted = self.sorted.get_or_init(|| {
            let (name, arguments) = self.as_given.split_at(self.arguments_at);
            (!sort::is_sorted(Encoded(arguments))).then(|| {
                let mut sorted = name.to_vec();
                sort::push_sorted(Encoded(arguments), &mut sorted);
                sorted
            })
        });
        sorted.as_deref().unwrap_or(self.as_given)
    }

    /// The order of the keys in the encoding.
    pub fn key_order(&self) -> KeyOrder {
        self.key_order
    }

    /// The bytes of the encoding, which is about as long as the name and the arguments as JSON.
    pub fn encoded_length(&self) -> usize {
        self.as_given.len()
    }

    /// Equal for equal calls, whatever the key order of their arguments.
    pub fn fingerprint(&self) -> u64 {
        fingerprint(self.bytes())
    }

    /// Equal for equal calls whose keys came in the same order.
    pub fn fingerprint_as_given(&self) -> u64 {
        fingerprint(self.as_given)
    }

    /// As [`fingerprint`](Self::fingerprint), where a call without arguments equals one with null.
    pub fn fingerprint_with_null(&self) -> u64 {
        if self.has_arguments() {
            return self.fingerprint();
        }
        let (name, _) = self.as_given.split_at(self.arguments_at);
        fingerprint(&[name, b"n"].concat())
    }

    /// Equal for calls of one tool.
    pub fn tool_fingerprint(&self) -> u64 {
        fingerprint(self.encoded_name().0)
    }

    /// The tool's name; an unpaired surrogate shows as U+FFFD.
    pub fn tool(&self) -> String {
        self.name().lossy()
    }

    /// The tool's name.
    pub fn name(&self) -> Units<'a> {
        self.encoded_name().units()
    }

    /// The encoding of the tool's name.
    pub fn encoded_name(&self) -> Encoded<'a> {
        Encoded(&self.as_given[..self.name_end])
    }

    /// Equal for calls of one tool that the tool takes for the same, if the host has said what identifies them.
    pub fn identity(&self) -> Option<u64> {
        let has_key = self.name_end < self.arguments_at;
        has_key.then(|| fingerprint(&self.as_given[..self.arguments_at]))
    }

    /// The string by which the tool identifies it, if the host has said one.
    fn identifier(&self) -> Option<String> {
        self.identity()?;
        let key = Encoded(&self.as_given[self.name_end + 1..]);
        Some(key.units().lossy())
    }

    /// Whether it is a call of the tool with this name, of ASCII.
    pub fn is_of(&self, tool: &str) -> bool {
        self.name().is(tool)
    }

    /// The arguments' encoding.
    pub fn arguments(&self) -> Encoded<'_> {
        Encoded(&self.bytes()[self.arguments_at..])
    }

    /// The arguments' encoding with its keys in the order that they came in.
    pub fn arguments_as_given(&self) -> Encoded<'_> {
        Encoded(&self.as_given[self.arguments_at..])
    }

    /// Whether the call carries arguments, be they `null` or empty.
    pub fn has_arguments(&self) -> bool {
        self.as_given[self.arguments_at] != tag::NONE
    }

    /// Adds the arguments as `JSON.stringify` prints them with sorted keys; nothing without
    /// arguments.
    pub fn push_arguments(&self, json: &mut String) {
        push_json(self.arguments(), json);
    }

    /// The tool and the arguments with `between` them.
    fn text(&self, between: char) -> String {
        let mut text = self.tool();
        text.push(between);
        self.push_arguments(&mut text);
        text
    }

    /// SHA-256 of `name:arguments`, or of `name#key` where the host has said what identifies the call; 64 lower-case
    /// hexadecimal characters.
    pub fn key(&self) -> String {
        let text = match self.identifier() {
            Some(key) => format!("{}#{key}", self.tool()),
            None => self.text(':'),
        };
        sha256_hex(text.as_bytes())
    }

    /// The call as a person would write it, at most `limit` UTF-16 units. Long values come last: a file is named before
    /// what is written into it.
    pub fn excerpt(&self, limit: usize) -> String {
        let arguments = self.arguments();
        if arguments.tag() != tag::OBJECT {
            return excerpt(&self.text(' '), limit);
        }
        let mut bytes = vec![tag::OBJECT];
        for is_long in [false, true] {
            for (key, value) in arguments.fields() {
                if (value.0.len() > LONG_VALUE) == is_long {
                    bytes.extend_from_slice(key.0);
                    bytes.extend_from_slice(value.0);
                }
            }
        }
        bytes.push(tag::OBJECT_END);
        let mut text = self.tool();
        text.push(' ');
        push_json(Encoded(&bytes), &mut text);
        excerpt(&text, limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn encoded(name: &str, arguments: Option<Value>) -> Vec<u8> {
        let mut out = Vec::new();
        let arguments = arguments.as_ref().map(borrowed);
        encode(name, None, arguments.as_ref(), &mut out).expect("not too deep");
        out
    }

    fn canonical(arguments: Value) -> String {
        let bytes = encoded("t", Some(arguments));
        let mut json = String::new();
        let call = Call::decode(&bytes, KeyOrder::AsGiven).expect("just encoded");
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
    fn a_file_is_shown_before_what_is_written_into_it() {
        let text = "All beds are dry. ".repeat(30);
        let arguments = json!({ "content": text, "overwrite": true, "path": "beds.md" });
        let bytes = encoded("write", Some(arguments));
        let call = Call::decode(&bytes, KeyOrder::AsGiven).expect("just encoded");
        assert_eq!(
            call.excerpt(70),
            r#"write {"overwrite":true,"path":"beds.md","content":"All beds are dry.…"#
        );
    }

    #[test]
    fn keys_sort_by_utf16_units_as_in_javascript() {
        // U+FF61 sorts after the surrogates of U+1F600 by code units, before it by code points.
        assert_eq!(
            canonical(json!({"\u{ff61}": 1, "😀": 2})),
            "{\"😀\":2,\"\u{ff61}\":1}"
        );
    }

    #[test]
    fn calls_are_equal_whatever_the_order_of_keys_which_is_known_all_the_same() {
        let fingerprints = |arguments: &str| {
            let value: Value = serde_json::from_str(arguments).expect("JSON");
            let bytes = encoded("t", Some(value));
            let call = Call::decode(&bytes, KeyOrder::AsGiven).expect("just encoded");
            (call.fingerprint(), call.fingerprint_as_given())
        };
        let (value, order) = fingerprints(r#"{"a":{"b":1,"c":[{"x":1,"y":2}]},"d":null}"#);
        assert_eq!(value, order, "sorted already");
        for other in [
            r#"{"d":null,"a":{"b":1,"c":[{"x":1,"y":2}]}}"#,
            r#"{"a":{"c":[{"x":1,"y":2}],"b":1},"d":null}"#,
            r#"{"a":{"b":1,"c":[{"y":2,"x":1}]},"d":null}"#,
        ] {
            assert_eq!(fingerprints(other).0, value, "{other}");
            assert_ne!(fingerprints(other).1, order, "{other}");
        }
        assert_ne!(fingerprints(r#"{"a":{"b":1,"c":[]},"d":null}"#).0, value);
        // Numbers first, as JavaScript has them.
        assert_eq!(
            fingerprints(r#"{"b":1,"10":2,"9":3}"#).1,
            fingerprints(r#"{"9":3,"b":1,"10":2}"#).1
        );
    }

    #[test]
    fn values_and_keys_are_found_in_an_encoding() {
        let bytes = encoded(
            "t",
            Some(json!({"a": [{"b": "x"}, 1.5, []], "b": {"a": true}, "é": "ü"})),
        );
        let call = Call::decode(&bytes, KeyOrder::AsGiven).expect("encoded");
        let arguments = call.arguments();
        assert!(call.is_of("t") && !call.is_of("tt") && !call.is_of(""));
        assert_eq!(arguments.field("é").0.len(), 0, "ASCII only");
        assert_eq!(arguments.field("b").field("a").0, b"t");
        assert_eq!(arguments.field("c").0, b"");
        assert_eq!(arguments.field("a").field("b").0, b"");
        let (item, rest) = Encoded(&arguments.field("a").0[1..]).split();
        assert_eq!(item.field("b").units().to_vec(), [u16::from(b'x')]);
        assert!(rest.0.starts_with(b"d\x031.5[]"));
        assert_eq!(Encoded(b"w\x02\0\0\0a\0").units().len(), 0, "cut");
        assert_eq!(Encoded(b"w\x01\0\0\0\xfc\0t").units().to_vec(), [0xfc]);
    }

    #[test]
    fn a_json_string_is_the_same_call_as_its_value() {
        let fingerprint = |arguments: Value| {
            let bytes = encoded("t", Some(arguments));
            let call = Call::decode(&bytes, KeyOrder::AsGiven).expect("just encoded");
            call.fingerprint()
        };
        let object = fingerprint(json!({"a": 1, "b": 2}));
        assert_eq!(fingerprint(json!(" {\"b\": 2.0, \"a\":1 }\n")), object);
        assert_ne!(fingerprint(json!("{\"b\": 2")), object);
        assert_eq!(canonical(json!("{\"b\": 2")), "\"{\\\"b\\\": 2\"");
    }

    #[test]
    fn no_arguments_and_null_differ() {
        let none = encoded("t", None);
        let null = encoded("t", Some(Value::Null));
        assert!(
            !Call::decode(&none, KeyOrder::AsGiven)
                .expect("encoded")
                .has_arguments()
        );
        assert!(
            Call::decode(&null, KeyOrder::AsGiven)
                .expect("encoded")
                .has_arguments()
        );
    }

    #[test]
    fn the_key_is_sha256_over_name_and_canonical_json() {
        let bytes = encoded("read_file", Some(json!({"path": "a.ts"})));
        let call = Call::decode(&bytes, KeyOrder::AsGiven).expect("encoded");
        assert_eq!(call.tool(), "read_file");
        assert_eq!(call.key(), sha256_hex(br#"read_file:{"path":"a.ts"}"#));
    }

    #[test]
    fn what_identifies_a_call_to_its_tool_is_what_it_is_compared_by() {
        let read = |key: Option<&str>, path: &str| {
            let mut bytes = Vec::new();
            let arguments = json!({ "path": path });
            encode("t", key, Some(&borrowed(&arguments)), &mut bytes).expect("not too deep");
            let call = Call::decode(&bytes, KeyOrder::AsGiven).expect("encoded");
            let mut shown = String::new();
            call.push_arguments(&mut shown);
            assert_eq!(shown, arguments.to_string());
            assert!(call.is_of("t"));
            (call.identity(), call.key())
        };
        assert_eq!(read(Some("1"), "a"), read(Some("1"), "b"));
        assert_ne!(read(Some("1"), "a").0, read(Some("2"), "a").0);
        assert_eq!(read(None, "a").0, None);
        assert_ne!(read(None, "a").1, read(Some("1"), "a").1);
    }

    #[test]
    fn an_unpaired_surrogate_is_escaped_as_javascript_does() {
        let mut bytes = encoded("t", None);
        bytes.pop();
        bytes.extend_from_slice(b"w\x02\0\0\0");
        bytes.extend_from_slice(&[0x3d, 0xd8, 0x61, 0x00]);
        assert_eq!(
            Call::decode(&bytes, KeyOrder::AsGiven)
                .expect("encoded")
                .text(' '),
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
            assert!(
                Call::decode(bytes, KeyOrder::AsGiven).is_none(),
                "{bytes:?}"
            );
        }
        for rest in [&b"["[..], b"{", b"{s\x01\0\0\0a", b"d\x09", b"?"] {
            let bytes = [b"s\x01\0\0\0a", rest].concat();
            Call::decode(&bytes, KeyOrder::AsGiven)
                .expect("has a name")
                .key();
        }
    }

    #[test]
    fn what_is_nested_too_deep_is_cut_and_equals_nothing_that_is_whole() {
        let nested = |depth: usize, inner: Value| {
            let value = (0..depth).fold(inner, |value, _| json!([value]));
            let bytes = encoded("t", Some(value));
            let call = Call::decode(&bytes, KeyOrder::AsGiven).expect("just encoded");
            (call.fingerprint(), call.key())
        };
        let deepest = MAX_ARGUMENT_DEPTH;
        assert_ne!(nested(deepest, json!(1)), nested(deepest, json!(2)));
        let cut = nested(deepest, json!([1]));
        assert_eq!(
            cut,
            nested(deepest, json!([2])),
            "what could be read is equal"
        );
        let (fingerprint, key) = nested(deepest, Value::Null);
        assert!(cut.0 != fingerprint && cut.1 != key, "null is whole");
        assert_ne!(cut, nested(deepest - 1, json!([1])));
    }

    #[test]
    fn what_is_cut_is_passed_sorted_and_shown() {
        let read = b"s\x01\0\0\0t{s\x01\0\0\0b~{s\x01\0\0\0dts\x01\0\0\0cf}s\x01\0\0\0a~n}";
        let call = Call::decode(read, KeyOrder::AsGiven).expect("an encoding");
        assert_eq!(call.text(' '), r#"t {"a":…null,"b":…{"c":false,"d":true}}"#);
        assert_eq!(call.arguments().field("b").0[0], tag::CUT);
        assert_eq!(Encoded(b"~~nt").split().1.0, b"t");
    }
}
