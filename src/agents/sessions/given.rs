//! Fields that agents wrote, and the events that they become.

use std::borrow::Cow;

use turnkeeper_base::json::{Json, parse, written};
pub(crate) use turnkeeper_messages::answered_with as answered;
use turnkeeper_messages::{Event, identified};

use super::format::Format;
use super::items::nameless_call;
use super::key::Key;
use super::record::Unreadable;

/// The value to which the keys lead.
pub(crate) fn at<'a>(value: &'a Json<'a>, keys: &[&str]) -> Option<&'a Json<'a>> {
    keys.iter().try_fold(value, |value, key| value.get(key))
}

/// The text to which the keys lead.
pub(crate) fn text_at<'a>(value: &'a Json<'a>, keys: &[&str]) -> Option<&'a str> {
    at(value, keys).and_then(Json::as_text)
}

/// The items of the list to which the keys lead.
pub(crate) fn list_at<'a>(value: &'a Json<'a>, keys: &[&str]) -> &'a [Json<'a>] {
    at(value, keys).map_or(&[], Json::items)
}

/// The number to which the keys lead.
pub(crate) fn number_at(value: &Json, keys: &[&str]) -> Option<f64> {
    match at(value, keys) {
        Some(Json::Number(number)) => Some(*number),
        _ => None,
    }
}

/// Whether the keys lead to `true`.
pub(crate) fn is_true_at(value: &Json, keys: &[&str]) -> bool {
    at(value, keys) == Some(&Json::Bool(true))
}

/// Whether the keys lead to `false`.
pub(crate) fn is_false_at(value: &Json, keys: &[&str]) -> bool {
    at(value, keys) == Some(&Json::Bool(false))
}

/// A value that is there, and not null.
pub(crate) fn known<'a>(value: Option<&'a Json<'a>>) -> Option<&'a Json<'a>> {
    value.filter(|value| **value != Json::Null)
}

/// A value that may be JSON in a text.
pub(crate) fn parsed<'a>(value: &'a Json<'a>) -> Cow<'a, Json<'a>> {
    match value {
        Json::Text(text) => parsed_text(text),
        value => Cow::Borrowed(value),
    }
}

/// The JSON of a text, or the text.
pub(crate) fn parsed_text<'a>(text: &'a str) -> Cow<'a, Json<'a>> {
    let mut room = Vec::new();
    let read = parse(text.as_bytes(), &mut room).map(Json::into_owned);
    Cow::Owned(read.unwrap_or_else(|_| Json::from(text)))
}

/// The text of a value: a text as it is, anything else as JSON.
pub(crate) fn shown<'a>(value: &'a Json<'a>) -> Cow<'a, str> {
    match value {
        Json::Text(text) => Cow::Borrowed(text),
        other => written(other).into(),
    }
}

/// Text of the assistant's, where there is some.
pub(crate) fn said<'a>(words: impl Into<Cow<'a, str>>) -> Option<Event<'a>> {
    let text = words.into();
    (!text.is_empty()).then_some(Event::Text { text })
}

/// A thought, where there is one.
pub(crate) fn thought<'a>(words: impl Into<Cow<'a, str>>) -> Option<Event<'a>> {
    let text = words.into();
    (!text.is_empty()).then_some(Event::Reasoning { text })
}

/// A tool call.
///
/// # Errors
/// If it names no tool.
pub(crate) fn called<'a>(
    id: Option<&'a Json<'a>>,
    name: Option<&'a str>,
    args: Option<Cow<'a, Json<'a>>>,
) -> Result<Event<'a>, Unreadable> {
    Ok(Event::ToolCall {
        key: None,
        id: identified(id),
        name: name.ok_or_else(nameless_call)?.into(),
        args,
    })
}

/// The result of a command that ended with a code.
pub(crate) fn ended(result: Event<'_>, code: Option<i64>) -> Event<'_> {
    match result {
        Event::ToolResult {
            id,
            output,
            is_error,
            exit_code,
        } => Event::ToolResult {
            id,
            output,
            is_error,
            exit_code: code.or(exit_code),
        },
        other => other,
    }
}

/// The key of a chat message with the time that its agent gave it.
pub(crate) fn message_key(format: Format, message: &Json) -> Option<u64> {
    let time = known(message.get("timestamp"))?;
    let fields = ["role", "content", "tool_calls", "tool_call_id"];
    let fields = fields.iter().filter_map(|name| message.get(name));
    let key = Key::of(format).and_value(time);
    fields.fold(key, Key::and_value).made()
}
