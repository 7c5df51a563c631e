//! The parts of Gemini's contents.

use std::borrow::Cow;

use turnkeeper_base::json::Json;

use crate::event::Event;
use crate::events::{
    Read, answered, answered_with, called, called_with, first_of, of, reasoning, text, text_at,
    true_at,
};
use crate::part::Part;
use crate::tool_output::text_of;

/// The parts of a part, which has no type.
pub(crate) fn parts_of_part<'a>(part: &'a Json<'a>) -> Read<'a> {
    if let Some(call) = true_at(part, "functionCall") {
        return Some(vec![call_of(call)]);
    }
    if let Some(result) = true_at(part, "functionResponse") {
        return Some(vec![Part::Event(result_of(result))]);
    }
    if let Some(run) = true_at(part, "executableCode") {
        let names = ["code", "language"].into_iter();
        let fields = names.filter_map(|name| Some((name.into(), run.get(name)?.clone())));
        let args = Cow::Owned(Json::Object(fields.collect()));
        return Some(vec![called_with(None, Some("code_execution"), Some(args))]);
    }
    if let Some(result) = true_at(part, "codeExecutionResult") {
        let outcome = result.get("outcome");
        let is_error = outcome.is_some_and(|it| it.as_text() != Some("OUTCOME_OK"));
        let result = answered(None, result.get("output"), is_error);
        return Some(vec![Part::Event(result)]);
    }
    let words = text_at(part, "text")?;
    Some(match true_at(part, "thought") {
        Some(_) => reasoning(words),
        None => text(Some(words)),
    })
}

/// A function call that is whole.
pub fn call_of<'a>(call: &'a Json<'a>) -> Part<'a> {
    called(call.get("id"), text_at(call, "name"), call.get("args"))
}

/// The answer of a function.
pub fn result_of<'a>(result: &'a Json<'a>) -> Event<'a> {
    let response = result.get("response");
    let is_error = response.is_some_and(|it| of(it, "error").is_some());
    answered(result.get("id"), response.map(spoken_by), is_error)
}

/// The API's own convention: the answer is under `output` or `error`, else it is the whole object.
pub fn spoken_by<'a>(response: &'a Json<'a>) -> &'a Json<'a> {
    first_of(response, &["output", "error"]).unwrap_or(response)
}

/// A thought is a summary with a heading of its own, so the next one starts on a line of its own.
pub fn thought_of<'a>(thought: &'a Json<'a>) -> Vec<Part<'a>> {
    let lines = ["subject", "description"].map(|name| text_at(thought, name));
    let lines = lines.into_iter().flatten().filter(|line| !line.is_empty());
    reasoning(lines.flat_map(|line| [line, "\n"]).collect::<String>())
}

/// The result of a call as gemini-cli keeps it: the parts that the model is sent, or else the text that the user is
/// shown; nothing if neither is there.
pub fn result_of_parts<'a>(
    id: Option<&'a Json<'a>>,
    parts: &'a [Json<'a>],
    shown: Option<&'a Json<'a>>,
    is_error: bool,
) -> Option<Event<'a>> {
    let texts = parts
        .iter()
        .filter_map(|part| match part.get("functionResponse") {
            Some(answer) => {
                let response = answer.get("response").map(spoken_by);
                Some(response.map_or_else(Cow::default, text_of))
            }
            None => part
                .as_text()
                .or_else(|| text_at(part, "text"))
                .map(Cow::Borrowed),
        });
    let mut texts: Vec<Cow<str>> = texts.collect();
    let output = match texts.len() {
        0 => text_of(shown?),
        1 => texts.remove(0),
        _ => texts.join("\n").into(),
    };
    Some(answered_with(id, output, is_error))
}

/// The beginnings of the messages that gemini-cli prints and saves when its own detector has spoken.
const LOOP_FOUND: [&str; 2] = [
    "Loop detected, stopping execution",
    "A potential loop was detected",
];

/// The verdict of the agent's own detector, if a message of it is one.
pub fn loop_found_in(message: &str) -> Option<Event<'_>> {
    let is_verdict = LOOP_FOUND.iter().any(|it| message.starts_with(it));
    is_verdict.then(|| Event::LoopReported {
        by: Some("gemini-cli".into()),
        detail: Some(message.into()),
    })
}
