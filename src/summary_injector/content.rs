//! What the messages of the common formats say.

use serde_json::Value;

use super::{MACHINE, Message};
use crate::error::{Error, ErrorCode};

/// So many characters in a row are no words: an image, say, in base64.
const LONGEST_WORD: usize = 1_000;

impl Message {
    /// Reads a message with a `role`, a `content` and perhaps an `id`. JavaScript reads them by the
    /// same rules.
    ///
    /// What it says is the content if that is a string. Of parts it is those that are text, and of
    /// the others their JSON, each on a line of its own; in that JSON the length of a string stands
    /// for one of more than 1,000 characters that are ASCII without white space.
    ///
    /// # Errors
    /// `invalid_argument`, naming the field, for what is no message.
    pub fn from_json(message: &Value) -> Result<Self, Error> {
        let wrong = |field: &str, must: &str| {
            Error::new(ErrorCode::InvalidArgument, MACHINE, must).at(field)
        };
        let fields = message
            .as_object()
            .ok_or_else(|| wrong("message", "must be an object"))?;
        let role = fields.get("role").and_then(Value::as_str);
        let id = match fields.get("id") {
            None | Some(Value::Null) => "",
            Some(Value::String(id)) => id,
            Some(_) => return Err(wrong("message.id", "must be a string")),
        };
        let content = fields.get("content");
        Ok(Self {
            role: role
                .ok_or_else(|| wrong("message.role", "must be a string"))?
                .to_owned(),
            id: id.to_owned(),
            text: text_of(
                content.ok_or_else(|| wrong("message.content", "must be what JSON can hold"))?,
            ),
            original: message.to_string(),
        })
    }
}

fn text_of(content: &Value) -> String {
    let parts = match content {
        Value::Array(parts) => &parts[..],
        part => std::slice::from_ref(part),
    };
    let parts = parts.iter().filter(|part| !part.is_null());
    parts.map(text_of_part).collect::<Vec<_>>().join("\n")
}

fn text_of_part(part: &Value) -> String {
    let is_text = match part.get("type") {
        None => true,
        Some(kind) => kind.as_str().is_some_and(|kind| kind.ends_with("text")),
    };
    let said = part.get("text").filter(|_| is_text);
    match said.unwrap_or(part) {
        Value::String(said) => said.clone(),
        _ => shortened(part).to_string(),
    }
}

fn shortened(value: &Value) -> Value {
    match value {
        Value::String(text)
            if text.len() > LONGEST_WORD && text.bytes().all(|byte| byte.is_ascii_graphic()) =>
        {
            format!("[{} characters]", text.len()).into()
        }
        Value::Array(items) => items.iter().map(shortened).collect(),
        Value::Object(fields) => {
            let fields = fields.iter();
            Value::Object(
                fields
                    .map(|(name, value)| (name.clone(), shortened(value)))
                    .collect(),
            )
        }
        other => other.clone(),
    }
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
            let error = Message::from_json(&message).expect_err("no message");
            assert_eq!(error.code(), ErrorCode::InvalidArgument);
            assert_eq!(error.field(), Some(field), "{message}");
        }
    }
}
