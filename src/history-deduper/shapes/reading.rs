//! The parts of each provider's messages, in the shape of Anthropic's API.

use std::borrow::Cow;
use std::ops::Range;

use rustc_hash::FxHashMap;
use turnkeeper_base::json::{Json, Key, parse, value_at};
use turnkeeper_messages::openai::is_result_item;
use turnkeeper_messages::tool_output;

use super::provider::{is_call_item, role_of_vscode};
use super::{Arguments, Content, Instead, Said, Shape, Source, View};
use crate::MessageRole;

/// A part that is read, and where it is.
type Part<'a> = (Json<'a>, Source);

pub(super) fn view<'a>(message: &'a Json<'a>, shape: Shape, reads_arguments: bool) -> View<'a> {
    match shape {
        Shape::Anthropic => anthropic(message),
        Shape::OpenAi if is_call_item(message) || is_result_item(message) => {
            item(message, reads_arguments)
        }
        Shape::OpenAi => chat(message, reads_arguments),
        Shape::Gemini => gemini(message),
        Shape::AiSdk => ai_sdk(message),
        Shape::Vscode => vscode(message),
    }
}

/// A message whose content is as it is.
fn same<'a>(message: &'a Json<'a>, shape: Shape) -> View<'a> {
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

fn made<'a>(
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
fn parts_of<'a>(message: &'a Json<'a>, list: &str) -> impl Iterator<Item = (usize, &'a Json<'a>)> {
    let parts = message.get(list).map_or(&[][..], Json::items);
    parts.iter().enumerate()
}

fn text_of<'a>(value: &'a Json<'a>, name: &str) -> Option<&'a str> {
    value.get(name).and_then(Json::as_text)
}

fn kind_of<'a>(part: &'a Json<'a>) -> Option<&'a str> {
    text_of(part, "type")
}

/// A field that is there, and not null.
fn of<'a>(value: &'a Json<'a>, name: &str) -> Option<&'a Json<'a>> {
    value.get(name).filter(|it| !matches!(it, Json::Null))
}

/// The same value, whose texts are those of the one that is given.
fn lent<'a>(value: &'a Json<'a>) -> Json<'a> {
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

fn text_part<'a>(text: &'a str, keys: Vec<Key>) -> Part<'a> {
    let part = Json::object([("type", "text".into()), ("text", text.into())]);
    (part, Source::Text(keys))
}

fn thinking<'a>(text: &'a str) -> Json<'a> {
    Json::object([("type", "thinking".into()), ("thinking", text.into())])
}

/// A call; without a name there is nothing to tell of it.
fn call<'a>(id: Option<Json<'a>>, name: Option<&'a str>, input: Json<'a>) -> Json<'a> {
    let mut fields: Vec<(Cow<str>, Json)> = vec![("type".into(), "tool_use".into())];
    if let Some(name) = name {
        fields.extend(id.map(|id| ("id".into(), id)));
        fields.push(("name".into(), name.into()));
        fields.push(("input".into(), input));
    }
    Json::Object(fields)
}

fn result<'a>(id: Option<Json<'a>>, content: Json<'a>, is_error: bool) -> Json<'a> {
    let mut fields: Vec<(Cow<str>, Json)> = vec![("type".into(), "tool_result".into())];
    fields.extend(id.map(|id| ("tool_use_id".into(), id)));
    fields.push(("content".into(), content));
    if is_error {
        fields.push(("is_error".into(), true.into()));
    }
    Json::Object(fields)
}

/// Parts of text need no type: Bedrock's have none.
fn anthropic<'a>(message: &'a Json<'a>) -> View<'a> {
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
fn is_true(value: Option<&Json>) -> bool {
    match value {
        None | Some(Json::Null | Json::Bool(false)) => false,
        Some(Json::Number(value)) => *value != 0.0,
        Some(Json::Text(text)) => !text.is_empty(),
        Some(_) => true,
    }
}

fn chat<'a>(message: &'a Json<'a>, reads_arguments: bool) -> View<'a> {
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

fn item<'a>(item: &'a Json<'a>, reads_arguments: bool) -> View<'a> {
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

fn gemini<'a>(message: &'a Json<'a>) -> View<'a> {
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

fn ai_sdk<'a>(message: &'a Json<'a>) -> View<'a> {
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

/// What the AI SDK's result says, whether it is an error, and where it is. Versions before 5 have it bare.
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

fn vscode<'a>(message: &'a Json<'a>) -> View<'a> {
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
