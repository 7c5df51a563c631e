//! The parts of a message, whichever provider's it is.

use turnkeeper_base::json::Json;

/// A part of a message.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Part<'a> {
    /// A text.
    Text(&'a str),
    /// The reasoning of a model.
    Thinking,
    /// A call of a tool.
    Call,
    /// The result of a call.
    Result,
    /// A picture or another file.
    Image,
    /// Anything else that is known.
    Other,
}

/// Whether a part of a content is anything that is known, and what. `None` of a reader: another one may know it.
type Read<'a> = Option<Vec<Part<'a>>>;

/// The parts that a part of a content holds; none if nobody knows the part.
pub fn parts_of_part<'a>(part: &'a Json<'a>) -> Vec<Part<'a>> {
    if let Json::Text(text) = part {
        return text_part(Some(text));
    }
    let read = match part.get("type") {
        None => gemini_part(part).or_else(|| vscode_part(part)),
        Some(kind) => typed_part(part, kind.as_text().unwrap_or_default()),
    };
    let parts = read.unwrap_or_default();
    if parts.is_empty() && is_media(part) {
        return vec![Part::Image];
    }
    parts
}

/// Whether any text stands in a message that is no result of a tool.
pub fn says_text(message: &Json) -> bool {
    let role = message.get("role").and_then(Json::as_text);
    let is_result = matches!(role, Some("tool" | "function" | "toolResult"));
    !is_result && contents(message).any(|part| matches!(part, Part::Text(_)))
}

/// The parts of a message's content, of which the agents' and Gemini's is called `parts`.
pub(crate) fn contents<'a>(message: &'a Json<'a>) -> impl Iterator<Item = Part<'a>> {
    pieces(message).iter().flat_map(parts_of_part)
}

/// The pieces of a message's content: one, if it is a text.
pub(crate) fn pieces<'a>(message: &'a Json<'a>) -> &'a [Json<'a>] {
    match of(message, "content").or_else(|| of(message, "parts")) {
        Some(text @ Json::Text(_)) => std::slice::from_ref(text),
        content => content.map_or(&[], Json::items),
    }
}

/// A field that is there, and not null.
pub(crate) fn of<'a>(value: &'a Json<'a>, name: &str) -> Option<&'a Json<'a>> {
    value.get(name).filter(|it| !matches!(it, Json::Null))
}

fn text_of<'a>(value: &'a Json<'a>, name: &str) -> Option<&'a str> {
    value.get(name).and_then(Json::as_text)
}

fn text_part(text: Option<&str>) -> Vec<Part<'_>> {
    let text = text.filter(|it| !it.is_empty());
    text.map(Part::Text).into_iter().collect()
}

fn typed_part<'a>(part: &'a Json<'a>, kind: &str) -> Read<'a> {
    Some(match kind {
        "text" | "output_text" | "input_text" => text_part(text_of(part, "text")),
        "refusal" => text_part(text_of(part, "refusal")),
        "thinking" | "reasoning" => vec![Part::Thinking],
        "compaction" => vec![Part::Other],
        "redacted_thinking" | "container_upload" | "search_result" | "step-start" => vec![],
        "tool-approval-request" | "tool-approval-response" => vec![],
        "tool-call" | "toolCall" => vec![Part::Call],
        "tool-result" | "tool-error" => vec![Part::Result],
        "tool-invocation" => {
            let made = part.get("toolInvocation");
            let state = made.and_then(|it| text_of(it, "state"));
            called_and_answered(state == Some("result"))
        }
        _ if ends_with_word(kind, "tool_use") => vec![Part::Call],
        _ if ends_with_word(kind, "tool_result") => vec![Part::Result],
        // The AI SDK's parts of a `UIMessage`.
        _ if kind.starts_with("tool-") || kind == "dynamic-tool" => {
            let state = text_of(part, "state");
            called_and_answered(matches!(state, Some("output-available" | "output-error")))
        }
        _ => return None,
    })
}

fn called_and_answered<'a>(is_answered: bool) -> Vec<Part<'a>> {
    match is_answered {
        true => vec![Part::Call, Part::Result],
        false => vec![Part::Call],
    }
}

/// Whether a type is this one, or one that ends with `_` and this, as `server_tool_use` does.
fn ends_with_word(kind: &str, word: &str) -> bool {
    let before = kind.strip_suffix(word);
    before.is_some_and(|before| before.is_empty() || before.ends_with('_'))
}

/// Gemini's parts have no type.
fn gemini_part<'a>(part: &'a Json<'a>) -> Read<'a> {
    if of(part, "functionCall").is_some() || of(part, "executableCode").is_some() {
        return Some(vec![Part::Call]);
    }
    if of(part, "functionResponse").is_some() || of(part, "codeExecutionResult").is_some() {
        return Some(vec![Part::Result]);
    }
    let text = text_of(part, "text")?;
    match part.get("thought") {
        Some(Json::Bool(true) | Json::Text(_)) => Some(vec![Part::Thinking]),
        _ => Some(text_part(Some(text))),
    }
}

/// VS Code's parts are known by the fields that they have.
fn vscode_part<'a>(part: &'a Json<'a>) -> Read<'a> {
    let value = part.get("value");
    let is_thought = part.get("id").is_some() || part.get("metadata").is_some();
    if is_thought && matches!(value, Some(Json::Text(_) | Json::List(_))) {
        return Some(vec![Part::Thinking]);
    }
    if let Some(text) = value.and_then(Json::as_text) {
        return Some(text_part(Some(text)));
    }
    text_of(part, "callId")?;
    if text_of(part, "name").is_some() {
        return Some(vec![Part::Call]);
    }
    let is_result = matches!(part.get("content"), Some(Json::List(_)));
    is_result.then(|| vec![Part::Result])
}

/// The fields in which the providers' parts have the bytes of a picture or a file, or its address.
const MEDIA: &[&str] = &[
    "source", "data", "image_url", "image_urls", "image", "input_audio", "file_data", "file_id",
    "file", "resource", "inlineData", "fileData",
];

const KINDS_OF_MEDIA: &[&str] = &[
    "image", "audio", "video", "media", "file", "document", "resource",
];

/// Whether a part of a message is a picture, a file or the like.
fn is_media(part: &Json) -> bool {
    let kind = match part.get("type") {
        None => "file",
        Some(kind) => kind.as_text().unwrap_or_default(),
    };
    KINDS_OF_MEDIA.iter().any(|it| kind.contains(it))
        && MEDIA.iter().any(|name| part.get(name).is_some())
}

#[cfg(test)]
mod tests {
    use turnkeeper_base::json::parse;

    use super::*;

    #[test]
    fn the_parts_of_every_provider_are_known() {
        use Part::{Call, Image, Other, Result, Text, Thinking};
        let table: &[(&str, &[Part])] = &[
            (r#""hello""#, &[Text("hello")]),
            (r#""""#, &[]),
            (r#"{"type":"text","text":"a"}"#, &[Text("a")]),
            (r#"{"type":"input_text","text":"a"}"#, &[Text("a")]),
            (r#"{"type":"refusal","refusal":"no"}"#, &[Text("no")]),
            (r#"{"type":"thinking","thinking":"hm"}"#, &[Thinking]),
            (r#"{"type":"server_tool_use","name":"a"}"#, &[Call]),
            (r#"{"type":"mcp_tool_result"}"#, &[Result]),
            (r#"{"type":"tool-result","output":{}}"#, &[Result]),
            (
                r#"{"type":"tool-read","state":"output-available"}"#,
                &[Call, Result],
            ),
            (r#"{"type":"tool-read","state":"input-available"}"#, &[Call]),
            (
                r#"{"type":"tool-invocation","toolInvocation":{"state":"result"}}"#,
                &[Call, Result],
            ),
            (r#"{"type":"toolCall","name":"a"}"#, &[Call]),
            (r#"{"type":"compaction"}"#, &[Other]),
            (r#"{"type":"image","source":{}}"#, &[Image]),
            (r#"{"type":"input_image","image_url":"x"}"#, &[Image]),
            (r#"{"type":"image"}"#, &[]),
            (r#"{"text":"a"}"#, &[Text("a")]),
            (r#"{"text":"a","thought":true}"#, &[Thinking]),
            (r#"{"functionResponse":{"response":{}}}"#, &[Result]),
            (r#"{"inlineData":{"data":"x"}}"#, &[Image]),
            (r#"{"value":"a"}"#, &[Text("a")]),
            (r#"{"value":"a","id":"1"}"#, &[Thinking]),
            (r#"{"callId":"1","name":"a","input":{}}"#, &[Call]),
            (r#"{"callId":"1","content":[]}"#, &[Result]),
            (r#"{"type":"strange"}"#, &[]),
            ("7", &[]),
            ("null", &[]),
        ];
        for (text, expected) in table {
            let mut room = Vec::new();
            let part = parse(text.as_bytes(), &mut room).expect("JSON");
            assert_eq!(parts_of_part(&part), *expected, "{text}");
        }
    }

    #[test]
    fn a_message_says_text_unless_it_is_a_tools() {
        for (message, expected) in [
            (r#"{"role":"user","content":"a"}"#, true),
            (
                r#"{"role":"user","parts":[{"type":"text","text":"a"}]}"#,
                true,
            ),
            (
                r#"{"role":"user","content":[{"type":"tool_result"}]}"#,
                false,
            ),
            (r#"{"role":"tool","content":"a"}"#, false),
            ("{}", false),
        ] {
            let mut room = Vec::new();
            let message = parse(message.as_bytes(), &mut room).expect("JSON");
            assert_eq!(says_text(&message), expected);
        }
    }
}
