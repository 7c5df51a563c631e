//! Messages in the common formats, read.

use std::borrow::Cow;

use serde_json::Value;

use super::{MACHINE, TurnMessage};
use turnkeeper_base::error::{Error, ErrorCode};
use turnkeeper_base::json;

/// A longer run of ASCII characters without white space is no word; it is an image in base64, say.
const LONGEST_WORD: usize = 1_000;

impl TurnMessage {
    /// Reads a message with a `role`, a `content` and perhaps an `id`.
    ///
    /// The message says its content if that is a string. Of an array it says the parts that are
    /// text, and the JSON of all other parts, each on lines of its own. In that JSON, a string of
    /// more than 1,000 ASCII characters without white space is replaced by its length.
    ///
    /// # Errors
    /// `invalid_argument`, naming the field, for a value that is no message.
    pub fn from_value(message: &Value) -> Result<Self, Error> {
        Self::read(message, json::written(message))
    }

    /// Reads a message that is JSON, which stays its original to the character. Half of a
    /// surrogate pair, which JSON may escape, is U+FFFD in the text.
    ///
    /// # Errors
    /// `invalid_argument`, naming the field, for what is no message, `limit_exceeded` for one that is
    /// nested more than 127 deep.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        let message = serde_json::from_str(&with_whole_characters(json)).map_err(|error| {
            let (code, must) = if error.to_string().starts_with("recursion limit") {
                (ErrorCode::LimitExceeded, "is nested more than 127 deep")
            } else {
                (ErrorCode::InvalidArgument, "must be JSON")
            };
            Error::new(code, MACHINE, must)
                .at("message")
                .caused_by(error)
        })?;
        Self::read(&message, json.to_owned())
    }

    fn read(message: &Value, original: String) -> Result<Self, Error> {
        let wrong = |field: &str, must: &str| {
            Error::new(ErrorCode::InvalidArgument, MACHINE, must).at(field)
        };
        let fields = message
            .as_object()
            .ok_or_else(|| wrong("message", "must be an object"))?;
        let role = fields
            .get("role")
            .and_then(Value::as_str)
            .ok_or_else(|| wrong("message.role", "must be a string"))?;
        let id = match fields.get("id") {
            None | Some(Value::Null) => "",
            Some(Value::String(id)) => id,
            Some(_) => return Err(wrong("message.id", "must be a string")),
        };
        let content = fields
            .get("content")
            .ok_or_else(|| wrong("message.content", "must be what JSON can hold"))?;
        Ok(Self {
            role: role.to_owned(),
            id: id.to_owned(),
            text: text_of_content(content),
            original,
        })
    }
}

/// JSON in which each escaped half of a surrogate pair that is by itself is U+FFFD: no string of Rust's
/// can hold it.
pub fn with_whole_characters(json: &str) -> Cow<'_, str> {
    let mut whole = String::new();
    let mut copied = 0;
    let mut at = 0;
    while let Some(found) = json.as_bytes()[at..].iter().position(|byte| *byte == b'\\') {
        let escape = at + found;
        match surrogate_at(json, escape) {
            // Some other escape, of a backslash as well.
            None => at = (escape + 2).min(json.len()),
            Some(0xd800..=0xdbff) if matches!(surrogate_at(json, escape + 6), Some(0xdc00..)) => {
                at = escape + 12;
            }
            Some(_) => {
                at = escape + 6;
                whole += &json[copied..escape];
                whole += "\\ufffd";
                copied = at;
            }
        }
    }
    if copied == 0 {
        return Cow::Borrowed(json);
    }
    whole += &json[copied..];
    Cow::Owned(whole)
}

/// The half of a surrogate pair that is escaped there.
fn surrogate_at(json: &str, at: usize) -> Option<u16> {
    let digits = json.get(at..at + 6)?.strip_prefix("\\u")?;
    let unit = u16::from_str_radix(digits, 16).ok()?;
    (0xd800..=0xdfff).contains(&unit).then_some(unit)
}

fn text_of_content(content: &Value) -> String {
    let parts = match content {
        Value::Array(parts) => parts.as_slice(),
        part => std::slice::from_ref(part),
    };
    let texts: Vec<String> = parts
        .iter()
        .filter(|part| !part.is_null())
        .map(text_of_part)
        .collect();
    texts.join("\n")
}

/// A string as it is, the text of a part such as `{ "type": "text", "text": "…" }`, and the JSON of
/// everything else.
fn text_of_part(part: &Value) -> String {
    let is_text_part = part.get("type").is_none_or(|kind| {
        let kind = kind.as_str();
        kind.is_some_and(|kind| kind.ends_with("text"))
    });
    let text = match part {
        Value::String(text) => Some(text.as_str()),
        _ if is_text_part => part.get("text").and_then(Value::as_str),
        _ => None,
    };
    match text {
        Some(text) => text.to_owned(),
        None => json::written(&without_long_words(part)),
    }
}

/// The value with a note of its length in the place of each string that is one long word.
fn without_long_words(value: &Value) -> Value {
    match value {
        Value::String(text) if is_long_word(text) => {
            Value::String(format!("[{} characters]", text.len()))
        }
        Value::Array(items) => items.iter().map(without_long_words).collect(),
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| (name.clone(), without_long_words(value)))
            .collect(),
        other => other.clone(),
    }
}

fn is_long_word(text: &str) -> bool {
    text.len() > LONGEST_WORD && text.bytes().all(|byte| byte.is_ascii_graphic())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_no_message_is_refused() {
        for (message, field) in [
            (json!(7), "message"),
            (json!([]), "message"),
            (json!({"content": "a"}), "message.role"),
            (json!({"role": 7, "content": "a"}), "message.role"),
            (json!({"role": "a", "id": 7, "content": "a"}), "message.id"),
            (json!({"role": "a"}), "message.content"),
        ] {
            let error = TurnMessage::from_value(&message).expect_err("no message");
            assert_eq!(error.code(), ErrorCode::InvalidArgument);
            assert_eq!(error.field(), Some(field), "{message}");
        }
    }

    #[test]
    fn json_stays_the_original_and_its_text_has_whole_characters() {
        for (content, text) in [
            (r#""a\ud83dz""#, "a\u{fffd}z"),
            (r#""\ude00\ud83d\ude00\ud83d""#, "\u{fffd}😀\u{fffd}"),
            (r#""\ud83d\ud83d\ude00""#, "\u{fffd}😀"),
            (r#""\\ud83d \\\ud83d""#, "\\ud83d \\\u{fffd}"),
            (r#"[{"type":"text","text":"b"},7]"#, "b\n7"),
        ] {
            let json = format!(r#"{{"role":"user","content":{content}}}"#);
            let message = TurnMessage::from_json(&json).expect("a message");
            assert_eq!((&*message.text, &*message.original), (text, &*json));
        }
    }

    #[test]
    fn json_that_cannot_be_read_is_refused() {
        let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
        let deep = format!(r#"{{"role":"user","content":{deep}}}"#);
        for (json, code) in [
            (deep.as_str(), ErrorCode::LimitExceeded),
            ("{", ErrorCode::InvalidArgument),
            ("\\", ErrorCode::InvalidArgument),
        ] {
            let error = TurnMessage::from_json(json).expect_err("no message");
            assert_eq!((error.code(), error.field()), (code, Some("message")));
        }
    }
}
