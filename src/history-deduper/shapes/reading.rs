//! The parts of messages in the shape of Anthropic's API; those of Anthropic and of VS Code are here.

use std::borrow::Cow;

use turnkeeper_base::json::{Json, Key};

use super::provider::role_of_vscode;
use super::{Arguments, Content, Said, Shape, Source, View};
use crate::MessageRole;

/// A part that is read, and where it is.
pub(super) type Part<'a> = (Json<'a>, Source);

/// A message whose content is as it is.
pub(super) fn same<'a>(message: &'a Json<'a>, shape: Shape) -> View<'a> {
    const NOTHING: &Json = &Json::Null;
    let role = text_of(message, "role");
    View {
        shape,
        role: role.map_or(MessageRole::Other, MessageRole::of),
        is_item: false,
        message,
        list: "content",
        content: Content::Own(message.get("content").unwrap_or(NOTHING)),
        sources: Vec::new(),
    }
}

pub(super) fn made<'a>(
    message: &'a Json<'a>,
    shape: Shape,
    role: MessageRole,
    parts: Vec<Part<'a>>,
) -> View<'a> {
    let (parts, sources) = parts.into_iter().unzip();
    View {
        role,
        content: Content::Made(Json::List(parts)),
        sources,
        ..same(message, shape)
    }
}

/// The parts of a content that is a list, with their indexes.
pub(super) fn parts_of<'a>(
    message: &'a Json<'a>,
    list: &str,
) -> impl Iterator<Item = (usize, &'a Json<'a>)> {
    let parts = message.get(list).map_or(&[][..], Json::items);
    parts.iter().enumerate()
}

pub(super) fn text_of<'a>(value: &'a Json<'a>, name: &str) -> Option<&'a str> {
    value.get(name).and_then(Json::as_text)
}

pub(super) fn kind_of<'a>(part: &'a Json<'a>) -> Option<&'a str> {
    text_of(part, "type")
}

/// A field that is there, and not null.
pub(super) fn of<'a>(value: &'a Json<'a>, name: &str) -> Option<&'a Json<'a>> {
    value.get(name).filter(|it| !matches!(it, Json::Null))
}

/// The same value, whose texts are those of the one that is given.
pub(super) fn lent<'a>(value: &'a Json<'a>) -> Json<'a> {
    match value {
        Json::Null => Json::Null,
        Json::Bool(value) => Json::Bool(*value),
        Json::Number(value) => Json::Number(*value),
        Json::Text(text) => Json::Text(Cow::Borrowed(text)),
        Json::List(items) => Json::List(items.iter().map(lent).collect()),
        Json::Object(fields) => {
            let fields = fields.iter();
            let fields = fields.map(|(name, value)| (Cow::Borrowed(&**name), lent(value)));
            Json::Object(fields.collect())
        }
    }
}

pub(super) fn text_part<'a>(text: &'a str, keys: Vec<Key>) -> Part<'a> {
    let part = Json::object([("type", "text".into()), ("text", text.into())]);
    (part, Source::Text(keys))
}

pub(super) fn thinking<'a>(text: &'a str) -> Json<'a> {
    Json::object([("type", "thinking".into()), ("thinking", text.into())])
}

/// A call; without a name there is nothing to tell of it.
pub(super) fn call<'a>(id: Option<Json<'a>>, name: Option<&'a str>, input: Json<'a>) -> Json<'a> {
    let mut fields: Vec<(Cow<str>, Json)> = vec![("type".into(), "tool_use".into())];
    if let Some(name) = name {
        fields.extend(id.map(|id| ("id".into(), id)));
        fields.push(("name".into(), name.into()));
        fields.push(("input".into(), input));
    }
    Json::Object(fields)
}

pub(super) fn result<'a>(id: Option<Json<'a>>, content: Json<'a>, is_error: bool) -> Json<'a> {
    let mut fields: Vec<(Cow<str>, Json)> = vec![("type".into(), "tool_result".into())];
    fields.extend(id.map(|id| ("tool_use_id".into(), id)));
    fields.push(("content".into(), content));
    if is_error {
        fields.push(("is_error".into(), true.into()));
    }
    Json::Object(fields)
}

/// Parts of text need no type: Bedrock's have none.
pub(super) fn anthropic<'a>(message: &'a Json<'a>) -> View<'a> {
    let is_untyped = |part: &Json| name_of_text(part).is_some();
    let content = message.get("content").map_or(&[][..], Json::items);
    if !content.iter().any(is_untyped) {
        return same(message, Shape::Anthropic);
    }
    let parts = content.iter().enumerate().map(|(at, part)| {
        let named = name_of_text(part).and_then(|name| Some((name, text_of(part, name)?)));
        match named {
            Some((name, text)) => text_part(text, vec!["content".into(), at.into(), name.into()]),
            None => (lent(part), Source::Same),
        }
    });
    let role = same(message, Shape::Anthropic).role;
    made(message, Shape::Anthropic, role, parts.collect())
}

/// Where a part without a type has its text.
fn name_of_text(part: &Json) -> Option<&'static str> {
    if part.get("type").is_some() {
        return None;
    }
    if text_of(part, "text").is_some() && !is_true(part.get("thought")) {
        return Some("text");
    }
    let is_plain = part.get("id").is_none() && part.get("metadata").is_none();
    (is_plain && text_of(part, "value").is_some()).then_some("value")
}

/// Whether JavaScript takes a value for true.
pub(super) fn is_true(value: Option<&Json>) -> bool {
    match value {
        None | Some(Json::Null | Json::Bool(false)) => false,
        Some(Json::Number(value)) => *value != 0.0,
        Some(Json::Text(text)) => !text.is_empty(),
        Some(_) => true,
    }
}

pub(super) fn vscode<'a>(message: &'a Json<'a>) -> View<'a> {
    let role = role_of_vscode(message).map_or(MessageRole::Other, MessageRole::of);
    let parts = parts_of(message, "content").map(|(at, part)| vscode_part(at, part));
    made(message, Shape::Vscode, role, parts.collect())
}

fn vscode_part<'a>(at: usize, part: &'a Json<'a>) -> Part<'a> {
    let keys = |name: &'static str| vec!["content".into(), at.into(), name.into()];
    if part.get("type").is_some() {
        return (lent(part), Source::Same);
    }
    let value = text_of(part, "value");
    if part.get("id").is_some() || part.get("metadata").is_some() {
        return match value {
            Some(text) => (thinking(text), Source::Same),
            None => (lent(part), Source::Same),
        };
    }
    if let Some(text) = value {
        return text_part(text, keys("value"));
    }
    let id = text_of(part, "callId").map(Into::into);
    match (id, text_of(part, "name"), part.get("content")) {
        (Some(id), Some(name), _) => {
            let args = part.get("input").map_or(Json::Null, lent);
            let source = Source::Call(keys("input"), Arguments::Plain);
            (call(Some(id), Some(name), args), source)
        }
        (Some(id), None, Some(Json::List(said))) => {
            let said = said
                .iter()
                .enumerate()
                .map(|(at, part)| vscode_part(at, part).0);
            let is_error = part.get("isError") == Some(&Json::Bool(true));
            let content = Json::List(said.collect());
            let source = Source::Result(keys("content"), Said::Plain("value"));
            (result(Some(id), content, is_error), source)
        }
        _ => (lent(part), Source::Same),
    }
}
