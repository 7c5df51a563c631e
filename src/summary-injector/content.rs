//! Messages in the common formats, read.

use serde_json::Value;

use super::{MACHINE, TurnMessage};
use turnkeeper_base::error::{Error, ErrorCode};
use turnkeeper_base::json::{self, Json};

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
        Self::from_json(&json::written(message))
    }

    /// Reads a message that is JSON, which stays its original to the character. Half of a
    /// surrogate pair, which JSON may escape, is U+FFFD in the text.
    ///
    /// # Errors
    /// `invalid_argument`, naming the field, for what is no message, `limit_exceeded` for one that is
    /// nested more than 1,000 deep.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        let mut room = Vec::new();
        let message = json::parse(json.as_bytes(), &mut room).map_err(|error| {
            let (code, must) = match error.is_too_deep() {
                true => (ErrorCode::LimitExceeded, "is nested more than 1,000 deep"),
                false => (ErrorCode::InvalidArgument, "must be JSON"),
            };
            Error::new(code, MACHINE, must)
                .at("message")
                .caused_by(error)
        })?;
        let wrong = |field: &str, must: &str| {
            Error::new(ErrorCode::InvalidArgument, MACHINE, must).at(field)
        };
        if !matches!(message, Json::Object(_)) {
            return Err(wrong("message", "must be an object"));
        }
        let role = message.get("role").and_then(Json::as_text);
        let role = role.ok_or_else(|| wrong("message.role", "must be a string"))?;
        let id = match message.get("id") {
            None | Some(Json::Null) => "",
            Some(Json::Text(id)) => id,
            Some(_) => return Err(wrong("message.id", "must be a string")),
        };
        let content = message
            .get("content")
            .ok_or_else(|| wrong("message.content", "must be what JSON can hold"))?;
        Ok(Self {
            role: role.to_owned(),
            id: id.to_owned(),
            text: text_of_content(content),
            original: json.to_owned(),
        })
    }
}

fn text_of_content(content: &Json) -> String {
    let parts = match content {
        Json::List(parts) => parts.as_slice(),
        part => std::slice::from_ref(part),
    };
    let parts = parts.iter().filter(|part| **part != Json::Null);
    parts.map(text_of_part).collect::<Vec<_>>().join("\n")
}

/// A string as it is, the text of a part such as `{ "type": "text", "text": "…" }`, and the JSON of
/// everything else.
fn text_of_part(part: &Json) -> String {
    let is_text_part = part.get("type").is_none_or(|kind| {
        let kind = kind.as_text();
        kind.is_some_and(|kind| kind.ends_with("text"))
    });
    let text = match part {
        Json::Text(text) => Some(text.as_ref()),
        _ if is_text_part => part.get("text").and_then(Json::as_text),
        _ => None,
    };
    match text {
        Some(text) => text.to_owned(),
        None => json::written(&without_long_words(part)),
    }
}

/// The value with a note of its length in the place of each string that is one long word.
fn without_long_words<'a>(value: &'a Json<'a>) -> Json<'a> {
    match value {
        Json::Text(text) if is_long_word(text) => format!("[{} characters]", text.len()).into(),
        Json::Text(text) => text.as_ref().into(),
        Json::List(items) => Json::List(items.iter().map(without_long_words).collect()),
        Json::Object(fields) => {
            let fields = fields.iter();
            let bare = fields.map(|(name, it)| (name.as_ref().into(), without_long_words(it)));
            Json::Object(bare.collect())
        }
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
        let deep = format!("{}{}", "[".repeat(1_001), "]".repeat(1_001));
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
