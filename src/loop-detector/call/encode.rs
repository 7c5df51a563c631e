//! Calls of native callers in the encoding. JavaScript writes its own (`js/src/boundary/call-encoder.ts`).

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use serde_json::Value;

use super::{MAX_ARGUMENT_DEPTH, tag};
use turnkeeper_base::json::{Json, parse, place_of_key};
use turnkeeper_base::text::hash::fingerprint;
use turnkeeper_base::text::push_le_bytes_of;

/// Encodes a call of a native caller into `out`, which is cleared first. What is nested deeper than
/// [`MAX_ARGUMENT_DEPTH`] is cut off. `None` if a text is too long for the encoding.
pub(crate) fn encode(
    name: &str,
    key: Option<&str>,
    arguments: Option<&Json>,
    out: &mut Vec<u8>,
) -> Option<()> {
    out.clear();
    encode_text(name, out)?;
    if let Some(key) = key {
        out.push(tag::KEY);
        encode_text(key, out)?;
    }
    match arguments {
        None => {
            out.push(tag::NONE);
            Some(())
        }
        Some(Json::Text(text)) => {
            let mut room = Vec::new();
            // Most texts that are no JSON show it at once.
            let value = may_be_json(text).then(|| parse(text.as_bytes(), &mut room).ok());
            match value.flatten() {
                Some(value) => encode_value(&value, 0, out),
                None => encode_text(text, out),
            }
        }
        Some(value) => encode_value(value, 0, out),
    }
}

fn may_be_json(text: &str) -> bool {
    let first = text.trim_ascii_start().bytes().next();
    matches!(
        first,
        Some(b'{' | b'[' | b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n')
    )
}

/// A value that borrows another's texts. Below what is encoded it has nothing.
pub(crate) fn borrowed(value: &Value) -> Json<'_> {
    borrowed_at(value, 0)
}

fn borrowed_at(value: &Value, depth: usize) -> Json<'_> {
    match value {
        Value::Null => Json::Null,
        Value::Bool(value) => Json::Bool(*value),
        // JavaScript has doubles only; what it cannot hold, it rounds.
        Value::Number(number) => number.as_f64().map_or(Json::Null, Json::Number),
        Value::String(text) => Json::Text(text.as_str().into()),
        Value::Array(_) | Value::Object(_) if depth >= MAX_ARGUMENT_DEPTH => Json::List(Vec::new()),
        Value::Array(items) => {
            let items = items.iter().map(|item| borrowed_at(item, depth + 1));
            Json::List(items.collect())
        }
        Value::Object(fields) => {
            let fields = fields.iter();
            let fields =
                fields.map(|(key, item)| (key.as_str().into(), borrowed_at(item, depth + 1)));
            Json::Object(fields.collect())
        }
    }
}

/// The fingerprints of tools with these names: the host's, or the usual ones.
pub fn tool_fingerprints(host: &Option<Vec<String>>, usual: &[&str]) -> Vec<u64> {
    let of_tool = |name: &str| {
        let mut encoded = Vec::new();
        encode_str(name, &mut encoded);
        fingerprint(&encoded)
    };
    match host {
        Some(names) => names.iter().map(|name| of_tool(name)).collect(),
        None => usual.iter().map(|name| of_tool(name)).collect(),
    }
}

/// Encodes a value that is no string, no array and no object.
pub(crate) fn encode_plain(value: &Json, out: &mut Vec<u8>) {
    // Only a text can be too long.
    let _ = encode_value(value, 0, out);
}

fn encode_value(value: &Json, depth: usize, out: &mut Vec<u8>) -> Option<()> {
    match value {
        Json::List(_) | Json::Object(_) if depth >= MAX_ARGUMENT_DEPTH => {
            out.extend([tag::CUT, tag::NULL]);
        }
        Json::Null => out.push(tag::NULL),
        Json::Bool(true) => out.push(tag::TRUE),
        Json::Bool(false) => out.push(tag::FALSE),
        Json::Number(number) if number.is_finite() => {
            let mut buffer = ryu_js::Buffer::new();
            let digits = buffer.format_finite(*number).as_bytes();
            out.push(tag::NUMBER);
            out.push(u8::try_from(digits.len()).expect("a double prints in 25 characters"));
            out.extend_from_slice(digits);
        }
        Json::Number(_) => out.push(tag::NULL),
        Json::Text(text) => encode_text(text, out)?,
        Json::List(items) => {
            out.push(tag::ARRAY);
            for item in items {
                encode_value(item, depth + 1, out)?;
            }
            out.push(tag::ARRAY_END);
        }
        Json::Object(fields) => {
            out.push(tag::OBJECT);
            for (key, item) in in_order_of_javascript(fields) {
                encode_text(key, out)?;
                encode_value(item, depth + 1, out)?;
            }
            out.push(tag::OBJECT_END);
        }
    }
    Some(())
}

/// The fields in the order that an object of JavaScript has: numbers first, in ascending order; of two equal keys the
/// place of the first and the value of the last.
fn in_order_of_javascript<'v, 'a>(
    fields: &'v [(Cow<'a, str>, Json<'a>)],
) -> Vec<(&'v str, &'v Json<'a>)> {
    let mut ordered: Vec<(&str, &Json)> = Vec::with_capacity(fields.len());
    let mut places = FxHashMap::default();
    for (key, item) in fields {
        let key: &str = key;
        // Few objects have more keys than can be looked through.
        let known = match fields.len() {
            0..=16 => ordered.iter().position(|(known, _)| *known == key),
            _ => places.insert(key, ordered.len()),
        };
        match known {
            Some(at) => {
                ordered[at].1 = item;
                places.insert(key, at);
            }
            None => ordered.push((key, item)),
        }
    }
    if ordered
        .iter()
        .any(|(key, _)| key.starts_with(|it: char| it.is_ascii_digit()))
    {
        ordered.sort_by_key(|(key, _)| place_of_key(key.as_bytes()));
    }
    ordered
}

/// Encodes a text whose length the encoding can say.
fn encode_text(text: &str, out: &mut Vec<u8>) -> Option<()> {
    u32::try_from(text.len()).ok()?;
    encode_str(text, out);
    Some(())
}

/// The text is shorter than 4 GiB.
pub fn encode_str(text: &str, out: &mut Vec<u8>) {
    if text.is_ascii() {
        out.push(tag::ASCII);
        out.extend_from_slice(&(text.len() as u32).to_le_bytes());
        out.extend_from_slice(text.as_bytes());
    } else {
        out.push(tag::WIDE);
        let length_at = out.len();
        out.extend_from_slice(&[0; size_of::<u32>()]);
        let text_at = out.len();
        push_le_bytes_of(text, out);
        let length = ((out.len() - text_at) / 2) as u32;
        out[length_at..text_at].copy_from_slice(&length.to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn encoded(value: &Json) -> Vec<u8> {
        let mut out = Vec::new();
        encode("t", None, Some(value), &mut out).expect("no text is too long");
        out
    }

    #[test]
    fn of_two_equal_keys_the_last_counts_at_the_place_of_the_first() {
        let fields = |fields: &[(&str, f64)]| {
            let fields = fields.iter();
            let fields = fields.map(|(key, value)| (key.to_string().into(), Json::Number(*value)));
            Json::Object(fields.collect())
        };
        for more in [0, 40] {
            let names: Vec<String> = (0..more).map(|at| format!("k{at}")).collect();
            let others: Vec<(&str, f64)> = names.iter().map(|name| (&**name, 0.0)).collect();
            let given = [&[("a", 1.0), ("b", 2.0), ("a", 3.0)], &others[..]].concat();
            let once = [&[("a", 3.0), ("b", 2.0)], &others[..]].concat();
            assert_eq!(encoded(&fields(&given)), encoded(&fields(&once)));
        }
    }

    #[test]
    fn a_text_that_is_json_counts_as_its_value() {
        for (text, value) in [
            (
                " {\"b\": [1, null], \"10\": \"é\"}",
                json!({"10": "é", "b": [1, null]}),
            ),
            ("-1.50", json!(-1.5)),
            ("\"x\"", json!("x")),
            ("null", json!(null)),
        ] {
            assert_eq!(encoded(&text.into()), encoded(&borrowed(&value)), "{text}");
        }
        for text in ["", "ls -l", "{\"a\":", "nothing", "[1,]"] {
            let mut as_text = Vec::new();
            encode_str("t", &mut as_text);
            encode_str(text, &mut as_text);
            assert_eq!(encoded(&text.into()), as_text, "{text}");
        }
    }

    #[test]
    fn a_wide_text_has_its_units() {
        let mut out = vec![7];
        encode_str("aé😀", &mut out);
        let units: Vec<u8> = "aé😀".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(out, [&[7, tag::WIDE, 4, 0, 0, 0], &units[..]].concat());
    }
}
