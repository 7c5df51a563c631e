//! The parts of VS Code's chat messages. They are instances of classes, and are known here by the fields that they
//! have.

use turnkeeper_base::json::Json;

use crate::event::Event;
use crate::events::{Read, answered, answered_with, called, list_at, reasoning, text, text_at};
use crate::part::Part;

/// The role of a message, in words, where it is VS Code's number.
pub(crate) fn role_of(message: &Json) -> Option<&'static str> {
    match message.get("role") {
        Some(Json::Number(1.0)) => Some("user"),
        Some(Json::Number(2.0)) => Some("assistant"),
        Some(Json::Number(3.0)) => Some("system"),
        _ => None,
    }
}

/// The parts of a part, which has no type.
pub(crate) fn parts_of_part<'a>(part: &'a Json<'a>) -> Read<'a> {
    let value = part.get("value");
    let is_thought = ["id", "metadata"].iter().any(|it| part.get(it).is_some());
    match value {
        Some(Json::Text(thought)) if is_thought => return Some(reasoning(thought.as_ref())),
        Some(Json::List(lines)) if is_thought => {
            let lines = lines.iter().filter_map(Json::as_text);
            return Some(reasoning(lines.collect::<String>()));
        }
        Some(Json::Text(words)) => return Some(text(Some(words))),
        _ => {}
    }
    if text_at(part, "callId").is_some() {
        let id = part.get("callId");
        if let Some(name) = text_at(part, "name") {
            return Some(vec![called(id, Some(name), part.get("input"))]);
        }
        if matches!(part.get("content"), Some(Json::List(_))) {
            return Some(vec![Part::Event(result_of(part))]);
        }
    }
    part.get("mimeType").map(|_| vec![])
}

fn result_of<'a>(part: &'a Json<'a>) -> Event<'a> {
    let is_error = matches!(part.get("isError"), Some(Json::Bool(true)));
    let content = list_at(part, "content").iter();
    // Its texts, if it holds nothing else.
    let texts: Option<Vec<&str>> = content.map(|it| text_at(it, "value")).collect();
    match texts {
        None => answered(part.get("callId"), part.get("content"), is_error),
        Some(texts) => answered_with(part.get("callId"), texts.join("\n"), is_error),
    }
}
