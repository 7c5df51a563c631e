//! The parts of the AI SDK's messages: of a `ModelMessage`, and of a `UIMessage`.

use std::borrow::Cow;

use turnkeeper_base::json::Json;

use crate::event::Event;
use crate::events::{
    Read, answered, answered_with, called, first_of, kind_of, of, reasoning, text_at,
};
use crate::part::Part;
use crate::tool_output::text_of;

/// The parts of a part. Its text parts are like everybody's and are not read here. A part of a `UIMessage` is a call
/// and, once it is there, its result.
pub(crate) fn parts_of_part<'a>(part: &'a Json<'a>) -> Read<'a> {
    Some(match kind_of(part) {
        "reasoning" => reasoning(text_at(part, "text")?),
        "tool-call" => vec![call_of(part)],
        "tool-result" => vec![Part::Event(result_of(part))],
        "tool-error" => vec![Part::Event(failure_of(part))],
        "tool-approval-request" | "tool-approval-response" | "step-start" => vec![],
        "tool-invocation" => invocation(part.get("toolInvocation").unwrap_or(&Json::Null)),
        kind => match kind.strip_prefix("tool-") {
            None if kind != "dynamic-tool" => return None,
            name => ui_tool(part, name),
        },
    })
}

fn invocation<'a>(made: &'a Json<'a>) -> Vec<Part<'a>> {
    let id = made.get("toolCallId");
    let is_answered = text_at(made, "state") == Some("result");
    let result = is_answered.then(|| Part::Event(answered(id, made.get("result"), false)));
    std::iter::once(call_of(made)).chain(result).collect()
}

fn ui_tool<'a>(part: &'a Json<'a>, name: Option<&'a str>) -> Vec<Part<'a>> {
    let id = part.get("toolCallId");
    let name = text_at(part, "toolName").or(name);
    let call = called(id, name, part.get("input"));
    let result = match text_at(part, "state") {
        Some("output-available") => Some(answered(id, part.get("output"), false)),
        Some("output-error") => Some(answered(id, part.get("errorText"), true)),
        _ => None,
    };
    std::iter::once(call)
        .chain(result.map(Part::Event))
        .collect()
}

/// A call; `args` are the arguments of versions before 5.
fn call_of<'a>(part: &'a Json<'a>) -> Part<'a> {
    let args = first_of(part, &["input", "args"]);
    called(part.get("toolCallId"), text_at(part, "toolName"), args)
}

/// A tool that failed.
fn failure_of<'a>(part: &'a Json<'a>) -> Event<'a> {
    let error = part.get("error");
    let message = error.and_then(|it| of(it, "message")).or(error);
    answered(part.get("toolCallId"), message, true)
}

fn result_of<'a>(part: &'a Json<'a>) -> Event<'a> {
    let (output, is_error) = spoken_by(part);
    let is_error = is_error || matches!(part.get("isError"), Some(Json::Bool(true)));
    answered_with(part.get("toolCallId"), output, is_error)
}

/// The text of a message's result, and whether it is an error. Versions before 5 have it bare under `result`.
fn spoken_by<'a>(part: &'a Json<'a>) -> (Cow<'a, str>, bool) {
    let Some(output) = part.get("output").or_else(|| part.get("result")) else {
        return (Cow::default(), false);
    };
    let Some(kind) = text_at(output, "type") else {
        return (text_of(output), false);
    };
    let is_error = kind.starts_with("error") || kind == "execution-denied";
    let is_typed = ["value", "reason"]
        .iter()
        .any(|it| output.get(it).is_some())
        || is_error;
    let said = match is_typed {
        true => first_of(output, &["value", "reason"]),
        false => Some(output),
    };
    (said.map_or_else(Cow::default, text_of), is_error)
}
