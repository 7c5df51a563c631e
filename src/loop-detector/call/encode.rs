//! Calls of native callers in the encoding. JavaScript writes its own (`js/src/boundary/call-encoder.ts`).

use serde_json::{Map, Value};

use super::encoded::Reader;
use super::{MAX_ARGUMENT_DEPTH, tag};
use turnkeeper_base::json::place_of_key;
use turnkeeper_base::text::hash::fingerprint;
use turnkeeper_base::text::push_le_bytes_of;

/// Encodes a call of a native caller into `out`, which is cleared first. What is nested deeper than
/// [`MAX_ARGUMENT_DEPTH`] is cut off. `None` if a text is too long for the encoding.
pub(crate) fn encode(name: &str, arguments: Option<&Value>, out: &mut Vec<u8>) -> Option<()> {
    out.clear();
    encode_text(name, out)?;
    match arguments {
        None => {
            out.push(tag::NONE);
            Some(())
        }
        Some(Value::String(text)) => match serde_json::from_str::<Value>(text) {
            Ok(value) => encode_value(&value, 0, out),
            Err(_) => encode_text(text, out),
        },
        Some(value) => encode_value(value, 0, out),
    }
}

/// A value as `JSON.stringify` prints it.
pub(crate) fn json_of(value: &Value) -> String {
    let mut encoded = Vec::new();
    let mut json = String::new();
    if encode_value(value, 0, &mut encoded).is_some() {
        let bytes = &encoded;
        Reader { bytes, at: 0 }.value(&mut json);
    }
    json
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
pub(crate) fn encode_plain(value: &Value, out: &mut Vec<u8>) {
    // Only a text can be too long.
    let _ = encode_value(value, 0, out);
}

fn encode_value(value: &Value, depth: usize, out: &mut Vec<u8>) -> Option<()> {
    match value {
        Value::Array(_) | Value::Object(_) if depth >= MAX_ARGUMENT_DEPTH => {
            out.extend([tag::CUT, tag::NULL]);
        }
        Value::Null => out.push(tag::NULL),
        Value::Bool(true) => out.push(tag::TRUE),
        Value::Bool(false) => out.push(tag::FALSE),
        Value::Number(number) => {
            // JavaScript has doubles only; what it cannot hold, it rounds.
            let double = number.as_f64().filter(|double| double.is_finite());
            match double {
                Some(double) => {
                    let mut buffer = ryu_js::Buffer::new();
                    let digits = buffer.format_finite(double).as_bytes();
                    out.push(tag::NUMBER);
                    out.push(u8::try_from(digits.len()).expect("a double prints in 25 characters"));
                    out.extend_from_slice(digits);
                }
                None => out.push(tag::NULL),
            }
        }
        Value::String(text) => encode_text(text, out)?,
        Value::Array(items) => {
            out.push(tag::ARRAY);
            for item in items {
                encode_value(item, depth + 1, out)?;
            }
            out.push(tag::ARRAY_END);
        }
        Value::Object(fields) => {
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

/// The fields in the order that an object of JavaScript has: numbers first, in ascending order.
fn in_order_of_javascript(fields: &Map<String, Value>) -> Vec<(&String, &Value)> {
    let mut ordered: Vec<_> = fields.iter().collect();
    ordered.sort_by_key(|(key, _)| place_of_key(key.as_bytes()));
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
