//! Canonical JSON: what `JSON.stringify` prints of a value, with the encoding's order of keys, and `…` before
//! what is cut.

use super::tag;
use super::{Encoded, Units};
use turnkeeper_base::text::push_character;

/// Adds a value; nothing of one that is not there.
pub(super) fn push_json(value: Encoded, json: &mut String) {
    match value.tag() {
        tag::NULL => json.push_str("null"),
        tag::TRUE => json.push_str("true"),
        tag::FALSE => json.push_str("false"),
        tag::NUMBER => json.push_str(&value.digits().lossy()),
        tag::ASCII | tag::WIDE => push_string(value.units(), json),
        tag::ARRAY => {
            json.push('[');
            for (at, item) in value.items().enumerate() {
                push_comma(at, json);
                push_json(item, json);
            }
            json.push(']');
        }
        tag::OBJECT => {
            json.push('{');
            for (at, (key, field)) in value.fields().enumerate() {
                push_comma(at, json);
                push_string(key.units(), json);
                json.push(':');
                push_json(field, json);
            }
            json.push('}');
        }
        tag::CUT => {
            json.push('…');
            push_json(value.inner(), json);
        }
        _ => {}
    }
}

/// Adds what parts the item at a place from the one before.
fn push_comma(at: usize, json: &mut String) {
    if at > 0 {
        json.push(',');
    }
}

fn push_string(units: Units, json: &mut String) {
    json.push('"');
    for character in char::decode_utf16(units.to_vec()) {
        push_character(character.map_err(|it| it.unpaired_surrogate()), json);
    }
    json.push('"');
}
