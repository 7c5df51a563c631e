//! The AI SDK's messages.

use std::borrow::Cow;

use turnkeeper_base::json::{Json, Key};
use turnkeeper_messages::tool_output;

use super::reading::{
    Part, call, kind_of, lent, made, of, parts_of, result, same, text_of, thinking,
};
use super::{Arguments, Instead, Said, Shape, Source, View};
use crate::MessageRole;

pub(super) fn ai_sdk<'a>(message: &'a Json<'a>) -> View<'a> {
    let role = text_of(message, "role");
    let is_list = matches!(message.get("content"), Some(Json::List(_)));
    if !matches!(role, Some("assistant" | "tool")) || !is_list {
        return same(message, Shape::AiSdk);
    }
    let parts = parts_of(message, "content").map(|(at, part)| ai_sdk_part(at, part));
    let role = match role {
        Some("tool") => MessageRole::User,
        _ => MessageRole::Model,
    };
    made(message, Shape::AiSdk, role, parts.collect())
}

fn ai_sdk_part<'a>(at: usize, part: &'a Json<'a>) -> Part<'a> {
    let keys = |name: &'static str| vec!["content".into(), at.into(), name.into()];
    let id = of(part, "toolCallId").map(lent);
    match kind_of(part) {
        Some("reasoning") => (
            thinking(text_of(part, "text").unwrap_or_default()),
            Source::Same,
        ),
        Some("tool-call") if text_of(part, "toolName").is_some() => {
            let name = match part.get("input") {
                Some(_) => "input",
                None => "args",
            };
            let args = part.get(name).map_or(Json::Null, lent);
            let source = Source::Call(keys(name), Arguments::Plain);
            (call(id, text_of(part, "toolName"), args), source)
        }
        Some("tool-result") => {
            let name = match part.get("output") {
                Some(_) => "output",
                None => "result",
            };
            let (content, is_error, rest, said) = spoken(part.get(name), name);
            let is_error = is_error || part.get("isError") == Some(&Json::Bool(true));
            let said = match said {
                Said::Value(Instead::TypedText { .. }) => {
                    Said::Value(Instead::TypedText { is_error })
                }
                said => said,
            };
            let path = keys(name).into_iter().chain(rest).collect();
            (result(id, content, is_error), Source::Result(path, said))
        }
        _ => (lent(part), Source::Same),
    }
}

/// The text of the AI SDK's result, whether it is an error, and where it is. Versions before 5 have it bare.
fn spoken<'a>(
    output: Option<&'a Json<'a>>,
    name: &'static str,
) -> (Json<'a>, bool, Option<Key>, Said) {
    let Some(output) = output else {
        return (Json::from(""), false, None, Said::Value(Instead::Text));
    };
    let instead = match name {
        "output" => Instead::TypedText { is_error: false },
        _ => Instead::Text,
    };
    let Some(kind) = kind_of(output) else {
        return match output {
            Json::Text(_) | Json::List(_) => (lent(output), false, None, Said::Plain("text")),
            _ => (
                tool_output::text_of(output).into(),
                false,
                None,
                Said::Value(instead),
            ),
        };
    };
    let is_error = kind.starts_with("error") || kind == "execution-denied";
    let value = of(output, "value");
    match (kind, value) {
        ("content", Some(value @ Json::List(_)))
        | ("text" | "error-text", Some(value @ Json::Text(_))) => (
            lent(value),
            is_error,
            Some("value".into()),
            Said::Plain("text"),
        ),
        _ => {
            let reason = value.or_else(|| of(output, "reason"));
            let said = if is_error {
                reason
            } else {
                reason.or(Some(output))
            };
            let text = said.map_or_else(Cow::default, tool_output::text_of);
            (text.into(), is_error, None, Said::Value(instead))
        }
    }
}
