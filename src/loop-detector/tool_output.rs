//! The output of a tool: a string, or the parts of a provider's message, by their texts.
//!
//! `js/src/messages/tool-output.ts` reads the same parts of what JavaScript observes; here they are read of
//! events that are JSON.

use serde::{Deserialize, Deserializer, de};
use serde_json::Value;

use super::call::json_of;

/// Reads an output: a string, or an array of parts.
pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::String(text) => Ok(text),
        parts @ Value::Array(_) => Ok(text_of(&parts)),
        _ => Err(de::Error::custom("must be a string or an array of parts")),
    }
}

/// A string as it is, parts by their texts, a line each, and anything else as JSON.
fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        Value::Array(parts) if are_parts(parts) => {
            let texts: Vec<String> = parts.iter().map(text_of_part).collect();
            texts.join("\n")
        }
        other => json_of(other),
    }
}

fn are_parts(parts: &[Value]) -> bool {
    parts.iter().any(|part| words_of(part).is_some()) || parts.iter().all(is_media)
}

fn text_of_part(part: &Value) -> String {
    match words_of(part) {
        Some(words) => words,
        None if is_media(part) => media_of(part),
        None => text_of(part),
    }
}

/// The words of a part; none if it is no text.
fn words_of(part: &Value) -> Option<String> {
    if let Value::String(text) = part {
        return Some(text.clone());
    }
    let part = part.as_object()?;
    let field = |name: &str| part.get(name).filter(|value| !value.is_null());
    let string = |name: &str| field(name)?.as_str().map(str::to_owned);
    if let Some(text) = string("text") {
        return Some(text);
    }
    let Some(kind) = part.get("type") else {
        if let Some(answer) = part.get("functionResponse") {
            let response = &answer["response"];
            let said = |name: &str| response.get(name).filter(|value| !value.is_null());
            return nested(said("output").or(said("error")).or(Some(response)));
        }
        let is_text_part = part
            .keys()
            .all(|name| name == "value" || name == "audience");
        return is_text_part.then(|| string("value")).flatten();
    };
    match kind.as_str()? {
        "refusal" => string("refusal"),
        // MCP.
        "resource" => Some(field("resource")?["text"].as_str()?.to_owned()),
        "resource_link" => string("uri"),
        // Anthropic's, and other results within a result.
        "document" => {
            let source = field("source")?;
            match source["type"].as_str()? {
                "text" => source["data"].as_str().map(str::to_owned),
                "content" => nested(source.get("content")),
                _ => None,
            }
        }
        "search_result" | "tool_result" | "tool-result" => {
            nested(field("content").or(field("output")))
        }
        // The AI SDK's outputs.
        "text" | "json" | "error-text" | "error-json" | "execution-denied" => {
            nested(field("value").or(field("reason")))
        }
        "content" => nested(field("value").or(field("content"))),
        _ => None,
    }
}

fn nested(value: Option<&Value>) -> Option<String> {
    let value = value.filter(|value| !value.is_null())?;
    // One part stands for a list of it.
    Some(words_of(value).unwrap_or_else(|| text_of(value)))
}

/// The places of a picture's or a file's bytes, or of its address, in the parts of the providers.
const MEDIA: [&str; 12] = [
    "source", "data", "image_url", "image_urls", "image", "input_audio", "file_data", "file_id",
    "file", "resource", "inlineData", "fileData",
];
/// One of these words is in the type of a part that is no text.
const MEDIA_TYPES: [&str; 7] = [
    "image", "audio", "video", "media", "file", "document", "resource",
];

fn is_media(part: &Value) -> bool {
    let kind = match part.get("type") {
        None => "file",
        Some(kind) => kind.as_str().unwrap_or_default(),
    };
    MEDIA_TYPES.iter().any(|word| kind.contains(word))
        && MEDIA.iter().any(|name| part.get(name).is_some())
}

/// A picture or a file: its type and a name that is another one for other bytes.
fn media_of(part: &Value) -> String {
    let kind = part["type"].as_str().unwrap_or("file");
    let bytes = MEDIA.iter().find_map(|name| part.get(name));
    format!("[{kind} {}]", name_of(bytes.unwrap_or(&Value::Null)))
}

/// Letters that make neither a word nor a hexadecimal number, which would not be compared.
const LETTERS: [char; 16] = [
    'g', 'h', 'j', 'k', 'l', 'm', 'n', 'p', 'q', 'r', 's', 't', 'v', 'w', 'x', 'z',
];

/// A hash (FNV-1a) of a picture's base64 or address, in eight letters.
fn name_of(media: &Value) -> String {
    let hash = text_of(media)
        .encode_utf16()
        .fold(0x811c_9dc5_u32, |hash, unit| {
            (hash ^ u32::from(unit)).wrapping_mul(0x0100_0193)
        });
    let letter = |shift: u32| LETTERS[(hash >> shift) as usize & 15];
    (0..8).rev().map(|digit| letter(4 * digit)).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_list_that_is_not_made_of_parts_is_json() {
        let list = json!([{"name": "a", "value": 1.0}, {"name": "b", "value": [true, null]}]);
        let json = r#"[{"name":"a","value":1},{"name":"b","value":[true,null]}]"#;
        assert_eq!(text_of(&list), json);
        assert_eq!(text_of(&json!([])), "");
        assert_eq!(text_of(&json!(["a", 1])), "a\n1");
    }
}
