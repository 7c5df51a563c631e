//! The text that a tool gave, of whatever its result is made: a string, or the parts of a provider's message.
//!
//! `js/src/messages/tool-output.ts` reads the same parts of what JavaScript observes.

use std::borrow::Cow;

use turnkeeper_base::json::{Json, written};

use crate::events::{first_of, kind_of, of, text_at};

/// The text of a tool's result or of a content: a string as it is, parts by their texts, a line each, and
/// anything else as JSON. A picture or a file among parts is its type and a name that is another one for
/// other bytes (`[image qlwrkzth]`), for the bytes themselves would be most of the text.
pub fn text_of<'a>(value: &'a Json<'a>) -> Cow<'a, str> {
    match value {
        Json::Text(text) => Cow::Borrowed(text),
        Json::Null => Cow::default(),
        Json::List(parts) if are_parts(parts) => match &parts[..] {
            [part] => text_of_part(part),
            parts => {
                let texts: Vec<Cow<str>> = parts.iter().map(text_of_part).collect();
                texts.join("\n").into()
            }
        },
        other => written(other).into(),
    }
}

/// Whether a list holds texts, or parts of a message; a tool may also have given a list of its own.
fn are_parts(parts: &[Json]) -> bool {
    parts.iter().any(|part| words_of(part).is_some()) || parts.iter().all(is_media)
}

fn text_of_part<'a>(part: &'a Json<'a>) -> Cow<'a, str> {
    match words_of(part) {
        Some(words) => words,
        None if is_media(part) => media_of(part).into(),
        None => text_of(part),
    }
}

/// The words of a part; none if it is no text.
fn words_of<'a>(part: &'a Json<'a>) -> Option<Cow<'a, str>> {
    let text = |value: &'a Json<'a>, name: &str| text_at(value, name).map(Cow::Borrowed);
    if let Json::Text(text) = part {
        return Some(Cow::Borrowed(text));
    }
    if let Some(words) = text(part, "text") {
        return Some(words);
    }
    if of(part, "type").is_none() {
        return untyped_words(part);
    }
    match kind_of(part) {
        "refusal" => text(part, "refusal"),
        // MCP.
        "resource" => text(part.get("resource")?, "text"),
        "resource_link" => text(part, "uri"),
        // Anthropic's, and other results within a result.
        "document" => {
            let source = part.get("source")?;
            match kind_of(source) {
                "text" => text(source, "data"),
                "content" => nested(source, &["content"]),
                _ => None,
            }
        }
        "search_result" | "tool_result" | "tool-result" => nested(part, &["content", "output"]),
        // The AI SDK's outputs.
        "text" | "json" | "error-text" | "error-json" | "execution-denied" => {
            nested(part, &["value", "reason"])
        }
        "content" => nested(part, &["value", "content"]),
        _ => None,
    }
}

/// Gemini's parts, and VS Code's.
fn untyped_words<'a>(part: &'a Json<'a>) -> Option<Cow<'a, str>> {
    if let Some(answer) = part.get("functionResponse") {
        let given = answer.get("response")?;
        return nested(given, &["output", "error"]).or_else(|| nested(answer, &["response"]));
    }
    let Json::Object(fields) = part else {
        return None;
    };
    let mut names = fields.iter().map(|(name, _)| name.as_ref());
    let is_text_part = names.all(|name| matches!(name, "value" | "audience"));
    let value = text_at(part, "value").filter(|_| is_text_part);
    value.map(Cow::Borrowed)
}

/// The text of the first of the fields that is there. One part stands for a list of it.
fn nested<'a>(value: &'a Json<'a>, names: &[&str]) -> Option<Cow<'a, str>> {
    let value = first_of(value, names)?;
    Some(words_of(value).unwrap_or_else(|| text_of(value)))
}

/// The fields in which the providers' parts have the bytes of a picture or a file, or its address.
pub const MEDIA: [&str; 12] = [
    "source", "data", "image_url", "image_urls", "image", "input_audio", "file_data", "file_id",
    "file", "resource", "inlineData", "fileData",
];

const KINDS_OF_MEDIA: &[&str] = &[
    "image", "audio", "video", "media", "file", "document", "resource",
];

/// Whether a part of a message is a picture, a file or the like.
pub(crate) fn is_media(part: &Json) -> bool {
    let kind = match of(part, "type") {
        None => "file",
        Some(kind) => kind.as_text().unwrap_or_default(),
    };
    KINDS_OF_MEDIA.iter().any(|it| kind.contains(it))
        && MEDIA.iter().any(|name| part.get(name).is_some())
}

fn media_of(part: &Json) -> String {
    let kind = text_at(part, "type").unwrap_or("file");
    let bytes = MEDIA.iter().find_map(|name| part.get(name));
    format!("[{kind} {}]", name_of(bytes.unwrap_or(&Json::Null)))
}

/// Letters that make neither a word nor a hexadecimal number, which would not be compared.
const LETTERS: &[u8; 16] = b"ghjklmnpqrstvwxz";

/// A hash (FNV-1a) of a picture's base64 or address, in eight letters.
fn name_of(media: &Json) -> String {
    let units = text_of(media);
    let hash = units.encode_utf16().fold(0x811c_9dc5_u32, |hash, unit| {
        (hash ^ u32::from(unit)).wrapping_mul(0x0100_0193)
    });
    let letter = |digit: u32| char::from(LETTERS[(hash >> (4 * digit)) as usize & 15]);
    (0..8).rev().map(letter).collect()
}

#[cfg(test)]
mod tests {
    use turnkeeper_base::json::parse;

    use super::*;

    #[test]
    fn a_tools_output_is_its_texts() {
        for (output, expected) in [
            ("\"a\"", "a"),
            ("null", ""),
            ("[]", ""),
            ("7", "7"),
            (r#"["a","b"]"#, "a\nb"),
            (
                r#"[{"text":"a"},{"type":"refusal","refusal":"no"}]"#,
                "a\nno",
            ),
            (
                r#"[{"type":"text","text":"a"},{"x":1e21}]"#,
                "a\n{\"x\":1e+21}",
            ),
            (
                r#"[{"name":"a","value":1.0},[true,null]]"#,
                r#"[{"name":"a","value":1},[true,null]]"#,
            ),
            (r#"[{"type":"resource","resource":{"text":"r"}}]"#, "r"),
            (
                r#"[{"type":"document","source":{"type":"content","content":["d"]}}]"#,
                "d",
            ),
            (
                r#"[{"type":"json","value":{"a":1}},{"type":"content","value":[{"text":"c"}]}]"#,
                "{\"a\":1}\nc",
            ),
            (r#"[{"functionResponse":{"response":{"output":"g"}}}]"#, "g"),
            (
                r#"[{"functionResponse":{"response":{"x":1}}}]"#,
                "{\"x\":1}",
            ),
            (r#"[{"value":"v"}]"#, "v"),
            (
                r#"[{"value":"v","other":1}]"#,
                r#"[{"value":"v","other":1}]"#,
            ),
            (r#"[{"type":"image","data":"aGk="}]"#, "[image nswgjzjr]"),
            (r#"[{"inlineData":{"data":"x"}}]"#, "[file hzrlpqst]"),
        ] {
            let mut room = Vec::new();
            let read = parse(output.as_bytes(), &mut room).expect("JSON");
            assert_eq!(text_of(&read), expected, "{output}");
        }
    }
}
