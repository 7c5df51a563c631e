//! The events that all providers' parts become.

use std::borrow::Cow;

use turnkeeper_base::json::Json;

use crate::event::Event;
use crate::part::Part;
use crate::tool_output::text_of;

/// Parts of a content that somebody knows; `None` of a reader: another one may know it.
pub(crate) type Read<'a> = Option<Vec<Part<'a>>>;

/// A field that is there, and not null.
pub(crate) fn of<'a>(value: &'a Json<'a>, name: &str) -> Option<&'a Json<'a>> {
    value.get(name).filter(|it| !matches!(it, Json::Null))
}

/// The first of the fields that is there, and not null.
pub(crate) fn first_of<'a>(value: &'a Json<'a>, names: &[&str]) -> Option<&'a Json<'a>> {
    names.iter().find_map(|name| of(value, name))
}

/// A field that is a string.
pub(crate) fn text_at<'a>(value: &'a Json<'a>, name: &str) -> Option<&'a str> {
    value.get(name).and_then(Json::as_text)
}

/// The type of a part or an item; empty where there is none.
pub(crate) fn kind_of<'a>(value: &'a Json<'a>) -> &'a str {
    text_at(value, "type").unwrap_or_default()
}

/// The items of a field that is a list.
pub(crate) fn list_at<'a>(value: &'a Json<'a>, name: &str) -> &'a [Json<'a>] {
    value.get(name).map_or(&[], Json::items)
}

/// A field that counts as true in JavaScript.
pub(crate) fn true_at<'a>(value: &'a Json<'a>, name: &str) -> Option<&'a Json<'a>> {
    value.get(name).filter(|it| match it {
        Json::Null | Json::Bool(false) => false,
        Json::Number(number) => *number != 0.0,
        Json::Text(text) => !text.is_empty(),
        _ => true,
    })
}

/// Assistant text; nothing where there is none.
pub(crate) fn text(words: Option<&str>) -> Vec<Part<'_>> {
    let words = words.filter(|it| !it.is_empty());
    let events = words.map(|words| Event::Text { text: words.into() });
    events.map(Part::Event).into_iter().collect()
}

/// Thinking; nothing where there is none.
pub(crate) fn reasoning<'a>(words: impl Into<Cow<'a, str>>) -> Vec<Part<'a>> {
    let text = words.into();
    match text.is_empty() {
        true => Vec::new(),
        false => vec![Part::Event(Event::Reasoning { text })],
    }
}

/// A tool call.
pub fn called<'a>(
    id: Option<&'a Json<'a>>,
    name: Option<&'a str>,
    args: Option<&'a Json<'a>>,
) -> Part<'a> {
    called_with(id, name, args.map(Cow::Borrowed))
}

/// A tool call with arguments of any make.
pub fn called_with<'a>(
    id: Option<&'a Json<'a>>,
    name: Option<&'a str>,
    args: Option<Cow<'a, Json<'a>>>,
) -> Part<'a> {
    match name {
        None => Part::NamelessCall,
        Some(name) => Part::Event(Event::ToolCall {
            id: identified(id),
            name: name.into(),
            args,
            key: None,
        }),
    }
}

/// The result of a tool call, whatever the tool gave.
pub fn answered<'a>(
    id: Option<&'a Json<'a>>,
    output: Option<&'a Json<'a>>,
    is_error: bool,
) -> Event<'a> {
    answered_with(id, output.map_or_else(Cow::default, text_of), is_error)
}

/// The result of a tool call with this text.
pub fn answered_with<'a>(
    id: Option<&'a Json<'a>>,
    output: impl Into<Cow<'a, str>>,
    is_error: bool,
) -> Event<'a> {
    Event::ToolResult {
        id: identified(id),
        output: output.into(),
        is_error: is_error.then_some(true),
        exit_code: None,
    }
}

/// The id where there is one.
pub fn identified<'a>(id: Option<&'a Json<'a>>) -> Option<Cow<'a, str>> {
    let id = id.and_then(Json::as_text).filter(|id| !id.is_empty());
    id.map(Cow::Borrowed)
}

/// An exit code, which is a whole number.
pub fn exit_code(value: Option<&Json>) -> Option<i64> {
    match value {
        Some(Json::Number(number)) if number.fract() == 0.0 => Some(*number as i64),
        _ => None,
    }
}
