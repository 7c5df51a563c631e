//! Gemini's contents.

use rustc_hash::FxHashMap;
use turnkeeper_base::json::{Json, Key};
use turnkeeper_messages::tool_output;

use super::reading::{
    Part, call, is_true, lent, made, of, parts_of, result, text_of, text_part, thinking,
};
use super::{Arguments, Instead, Said, Shape, Source, View};
use crate::MessageRole;

pub(super) fn gemini<'a>(message: &'a Json<'a>) -> View<'a> {
    let mut names: FxHashMap<&str, usize> = FxHashMap::default();
    let parts = parts_of(message, "parts").map(|(at, part)| gemini_part(at, part, &mut names));
    let parts = parts.collect();
    let role = match text_of(message, "role") {
        Some("model") => MessageRole::Model,
        _ => MessageRole::User,
    };
    View {
        list: "parts",
        ..made(message, Shape::Gemini, role, parts)
    }
}

fn gemini_part<'a>(
    at: usize,
    part: &'a Json<'a>,
    names: &mut FxHashMap<&'a str, usize>,
) -> Part<'a> {
    let keys = |more: &[&'static str]| {
        let more = more.iter().map(|name| Key::Name(name));
        [Key::Name("parts"), at.into()]
            .into_iter()
            .chain(more)
            .collect()
    };
    let is_untyped = part.get("type").is_none();
    if let Some(given) = of(part, "functionCall").filter(|_| is_untyped)
        && let Some(name) = text_of(given, "name")
    {
        let id = id_of(given, names);
        let args = given.get("args").map_or(Json::Null, lent);
        let source = Source::Call(keys(&["functionCall", "args"]), Arguments::Plain);
        return (call(Some(id), Some(name), args), source);
    }
    if let Some(given) = of(part, "functionResponse").filter(|_| is_untyped) {
        let id = id_of(given, names);
        let response = given.get("response").unwrap_or(&Json::Null);
        let is_error = of(response, "error").is_some();
        let name = ["output", "error"]
            .into_iter()
            .find(|name| of(response, name).is_some());
        let said = name.and_then(|name| response.get(name)).unwrap_or(response);
        let mut path: Vec<Key> = keys(&["functionResponse", "response"]);
        path.extend(name.map(Key::Name));
        let form = match (said, name) {
            (Json::Text(_), Some(_)) => Said::Plain("text"),
            (_, Some(_)) => Said::Value(Instead::Text),
            (_, None) => Said::Value(Instead::Output),
        };
        let content = tool_output::text_of(said).into();
        return (
            result(Some(id), content, is_error),
            Source::Result(path, form),
        );
    }
    match text_of(part, "text") {
        Some(text) if is_untyped && is_true(part.get("thought")) && !text.is_empty() => {
            (thinking(text), Source::Same)
        }
        Some(text) => text_part(text, keys(&["text"])),
        None => (lent(part), Source::Same),
    }
}

/// The id of a call or a response; without one it is the function's name and its number among those of the message.
fn id_of<'a>(given: &'a Json<'a>, names: &mut FxHashMap<&'a str, usize>) -> Json<'a> {
    if let Some(id) = text_of(given, "id").filter(|id| !id.is_empty()) {
        return id.into();
    }
    let name = text_of(given, "name").unwrap_or_default();
    let count = names.entry(name).or_default();
    *count += 1;
    format!("{name}#{count}").into()
}
