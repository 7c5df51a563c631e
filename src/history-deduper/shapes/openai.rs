//! OpenAI's chat messages, and the items of its Responses.

use std::ops::Range;

use turnkeeper_base::json::{Json, Key, parse, value_at};

use super::reading::{
    Part, call, kind_of, lent, made, of, parts_of, result, same, text_of, text_part,
};
use super::{Arguments, Said, Shape, Source, View};
use crate::MessageRole;

pub(super) fn chat<'a>(message: &'a Json<'a>, reads_arguments: bool) -> View<'a> {
    let role = text_of(message, "role");
    if matches!(role, Some("tool" | "function")) {
        let id = of(message, "tool_call_id").or_else(|| message.get("name"));
        let content = message.get("content").map_or(Json::Null, lent);
        let source = Source::Result(vec!["content".into()], Said::Plain("text"));
        let part = (result(id.map(lent), content, false), source);
        return made(message, Shape::OpenAi, MessageRole::User, vec![part]);
    }
    let calls = calls_of(message, reads_arguments);
    let is_renamed = |part: &Json| is_text_of_responses(part);
    let content = message.get("content");
    if calls.is_empty() && !content.map_or(&[][..], Json::items).iter().any(is_renamed) {
        return same(message, Shape::OpenAi);
    }
    let mut parts: Vec<Part> = match content {
        Some(Json::Text(text)) => vec![text_part(text, vec!["content".into()])],
        _ => parts_of(message, "content")
            .map(|(at, part)| text_of_responses(part, vec!["content".into(), at.into()]))
            .collect(),
    };
    let role = match calls.is_empty() {
        true => same(message, Shape::OpenAi).role,
        false => MessageRole::Model,
    };
    parts.extend(calls);
    made(message, Shape::OpenAi, role, parts)
}

/// Texts of the Responses have other names.
fn is_text_of_responses(part: &Json) -> bool {
    matches!(kind_of(part), Some("input_text" | "output_text")) && text_of(part, "text").is_some()
}

fn text_of_responses<'a>(part: &'a Json<'a>, mut keys: Vec<Key>) -> Part<'a> {
    match text_of(part, "text") {
        Some(text) if is_text_of_responses(part) => {
            keys.push("text".into());
            text_part(text, keys)
        }
        _ => (lent(part), Source::Same),
    }
}

/// The calls beside a chat message's content. Those of 2023 have no id, and are answered by their name.
fn calls_of<'a>(message: &'a Json<'a>, reads_arguments: bool) -> Vec<Part<'a>> {
    let mut calls: Vec<Part> = Vec::new();
    for (at, given) in parts_of(message, "tool_calls") {
        let kind = match of(given, "function") {
            Some(_) => "function",
            None => "custom",
        };
        let keys = vec!["tool_calls".into(), at.into(), kind.into()];
        let call = called(given.get("id"), of(given, kind), reads_arguments);
        let is_written = kind == "function"
            && given
                .get(kind)
                .is_some_and(|it| text_of(it, "arguments").is_some());
        calls.push(with_arguments(call, keys, is_written));
    }
    if let Some(given) = of(message, "function_call") {
        calls.push(with_arguments(
            called(None, Some(given), reads_arguments),
            Vec::new(),
            false,
        ));
    }
    calls
}

fn with_arguments<'a>(mut call: Json<'a>, mut keys: Vec<Key>, is_written: bool) -> Part<'a> {
    let form = match is_written {
        true => Arguments::Json,
        false => Arguments::Fixed,
    };
    if form == Arguments::Fixed
        && let Json::Object(fields) = &mut call
    {
        fields.push(("isFixed".into(), true.into()));
    }
    keys.push("arguments".into());
    (call, Source::Call(keys, form))
}

fn called<'a>(
    id: Option<&'a Json<'a>>,
    given: Option<&'a Json<'a>>,
    reads_arguments: bool,
) -> Json<'a> {
    let Some(given) = given else {
        return call(None, None, Json::Null);
    };
    let args = of(given, "arguments").or_else(|| given.get("input"));
    let id = id.and_then(Json::as_text).filter(|id| !id.is_empty());
    let name = text_of(given, "name");
    call(
        id.or(name).map(Into::into),
        name,
        read(args, reads_arguments),
    )
}

/// Arguments that are JSON in a string, if they are needed.
fn read<'a>(args: Option<&'a Json<'a>>, reads_arguments: bool) -> Json<'a> {
    match args {
        Some(_) if !reads_arguments => Json::Null,
        Some(Json::Text(json)) if json.is_empty() => Json::object([]),
        Some(Json::Text(json)) => {
            let mut room = Vec::new();
            let value = parse(json.as_bytes(), &mut room).map(Json::into_owned);
            value.unwrap_or_else(|_| (**json).into())
        }
        Some(args) => lent(args),
        None => Json::Null,
    }
}

pub(super) fn item<'a>(item: &'a Json<'a>, reads_arguments: bool) -> View<'a> {
    let kind = kind_of(item).unwrap_or_default();
    let id = of(item, "call_id").or_else(|| item.get("id"));
    if let Some(tool) = kind.strip_suffix("_call") {
        let others = ["input", "action", "operation", "code", "queries"].iter();
        let args = of(item, "arguments").or_else(|| others.clone().find_map(|name| of(item, name)));
        let name = text_of(item, "name");
        let is_named = matches!(tool, "function" | "custom_tool");
        let name = if is_named { name } else { name.or(Some(tool)) };
        let id = id.and_then(Json::as_text).map(Into::into);
        let made_call = call(id, name, read(args, reads_arguments));
        let is_written = text_of(item, "arguments").is_some();
        let part = with_arguments(made_call, Vec::new(), is_written);
        return View {
            is_item: true,
            ..made(item, Shape::OpenAi, MessageRole::Model, vec![part])
        };
    }
    let output = item.get("output");
    let wrapped = output.and_then(Json::as_text).and_then(wrapped_in);
    let (content, said, has_failed) = match (wrapped, output) {
        (Some(wrapped), _) => (
            wrapped.said.into(),
            Said::Within(wrapped.string),
            wrapped.has_failed,
        ),
        (None, Some(Json::List(parts))) => {
            let parts = parts
                .iter()
                .map(|part| text_of_responses(part, Vec::new()).0);
            (Json::List(parts.collect()), Said::Plain("text"), false)
        }
        (None, output) => (output.map_or(Json::Null, lent), Said::Plain("text"), false),
    };
    let source = Source::Result(vec!["output".into()], said);
    let part = (result(id.map(lent), content, has_failed), source);
    made(item, Shape::OpenAi, MessageRole::User, vec![part])
}

/// A result in Codex' JSON of old: an object whose first value is what the tool said.
struct Wrapped {
    said: String,
    /// Its string in the JSON, with its quotes.
    string: Range<usize>,
    has_failed: bool,
}

fn wrapped_in(output: &str) -> Option<Wrapped> {
    let rest = output.trim_start().strip_prefix('{')?.trim_start();
    let rest = rest.strip_prefix("\"output\"")?.trim_start();
    let rest = rest.strip_prefix(':')?.trim_start();
    if !rest.starts_with('"') {
        return None;
    }
    let start = output.len() - rest.len();
    let length = value_at(rest.as_bytes(), &[])?.len();
    let mut room = Vec::new();
    let said = parse(&rest.as_bytes()[..length], &mut room).ok()?;
    let said = said.as_text()?.to_owned();
    Some(Wrapped {
        said,
        string: start..start + length,
        has_failed: has_exit_code(&rest[length..]),
    })
}

/// Whether it has an exit code other than 0.
fn has_exit_code(json: &str) -> bool {
    json.split("\"exit_code\"").skip(1).any(|rest| {
        let code = rest.trim_start().strip_prefix(':').map(str::trim_start);
        let digits = code.map(|it| it.strip_prefix('-').unwrap_or(it));
        digits.is_some_and(|it| it.starts_with(|it: char| ('1'..='9').contains(&it)))
    })
}
