//! Claude Code, whose `PostToolBatch` tells of all calls of a request with their results, as the model will
//! see them, before the next request. Versions without it tell of each result by itself, and end nothing after a
//! failure, so what follows is refused at `PreToolUse`.

use std::borrow::Cow;

use turnkeeper_base::json::Json;
use turnkeeper_messages::exit_code_in;

use crate::watch::dialect::{
    self, Dialect, Meaning, answer_with_context, call, of_event, refusal, results,
};
use crate::watch::event::{Arrived, Event, FinishedCall, Happening, Reply, Requests, Results};
use crate::watch::fields::{Fields, result_text};

pub(super) static DIALECT: Dialect = Dialect {
    requests: Requests::Batch,
    events: &[
        ("userpromptsubmit", Meaning::Prompt),
        ("posttoolbatch", Meaning::Own(batch)),
        ("posttooluse", Meaning::Own(result_arrived)),
        ("posttoolusefailure", Meaning::Own(failure_arrived)),
        ("pretooluse", Meaning::Asked),
        ("sessionstart", Meaning::Start),
    ],
    answer,
    ..dialect::DIALECT
};

fn answer<'a>(event: &Event<'a>, reply: Reply<'a>) -> Option<Json<'a>> {
    if let Some(reason) = reply.refusal {
        return Some(Json::object([(
            "hookSpecificOutput",
            refusal(event, reason),
        )]));
    }
    if let Some(result) = reply.result {
        let output = of_event(event, [("updatedToolOutput", result)]);
        return Some(Json::object([("hookSpecificOutput", output)]));
    }
    if let Some(end) = reply.end {
        let fields = [("continue", false.into()), ("stopReason", end.into())];
        return Some(Json::object(fields));
    }
    answer_with_context(event, reply)
}

fn batch<'a>(payload: &mut Fields<'a>) -> Option<Happening<'a>> {
    let calls = match payload.take("tool_calls") {
        Some(Json::List(calls)) => calls,
        _ => vec![],
    };
    Some(results(calls.into_iter().filter_map(call_of_batch)))
}

/// The beginning of a failure of a tool other than a command, as the model sees it.
const TOOL_ERROR: &str = "<tool_use_error>";

fn call_of_batch(item: Json<'_>) -> Option<FinishedCall<'_>> {
    let mut item = Fields::of(Some(item));
    let said = item.get("tool_response").and_then(Json::as_text);
    let has_failed = said.is_some_and(|said| said.starts_with(TOOL_ERROR));
    call(&mut item, has_failed.then_some(true))
}

/// A result before the model sees it. Where there is a batch, that tells the detector of it.
fn result_arrived<'a>(payload: &mut Fields<'a>) -> Option<Happening<'a>> {
    // A result may be large: its text is taken out of it, and not copied.
    let shaped = payload.take("tool_response").and_then(|response| {
        let unknown = |response| payload.put("tool_response", Some(response));
        Shape::of(response).map_err(unknown).ok()
    });
    let mut call = call(payload, None);
    let arrived = shaped.map(|(text, shape)| {
        let exit_code = shape.is_of_command().then(|| exit_code_in(&text)).flatten();
        call = call.take().map(|call| FinishedCall {
            output: text,
            is_error: None,
            exit_code,
            ..call
        });
        Arrived {
            call: None,
            with_text: Box::new(move |text| shape.with_text(text)),
        }
    });
    Some(Happening::Results(Results {
        calls: call.into_iter().collect(),
        arrived,
        may_come_again: true,
        ..Results::default()
    }))
}

fn failure_arrived<'a>(payload: &mut Fields<'a>) -> Option<Happening<'a>> {
    let call = call(payload, Some(true));
    Some(Happening::Results(Results {
        calls: call.into_iter().collect(),
        may_come_again: true,
        ..Results::default()
    }))
}

/// The place of the text in a result, and the rest of it.
enum Shape<'a> {
    Text,
    Parts,
    /// The streams of a command.
    Streams(Json<'a>),
    File(Json<'a>),
}

impl<'a> Shape<'a> {
    /// The text of a result, which is taken out of it, and where it stood; the result for a shape that is not known.
    fn of(response: Json<'a>) -> Result<(Cow<'a, str>, Self), Json<'a>> {
        let is_of_type =
            |value: &Json, kind| value.get("type").and_then(Json::as_text) == Some(kind);
        let is_image = response.get("isImage") == Some(&true.into());
        let is_file = is_of_type(&response, "text");
        match response {
            Json::Text(text) => Ok((text, Self::Text)),
            Json::List(parts) if parts.iter().all(|part| is_of_type(part, "text")) => {
                Ok((result_text(Json::List(parts)), Self::Parts))
            }
            Json::Object(fields) => {
                let mut fields = Fields::of(Some(Json::Object(fields)));
                let streams = match is_image {
                    true => None,
                    false => fields.take_streams(),
                };
                if let Some(text) = streams {
                    return Ok((text, Self::Streams(fields.into_json())));
                }
                let mut response = fields.into_json();
                let file = response.get_mut("file").filter(|_| is_file);
                match file.and_then(|file| file.get_mut("content")) {
                    Some(Json::Text(content)) => {
                        Ok((std::mem::take(content), Self::File(response)))
                    }
                    _ => Err(response),
                }
            }
            response => Err(response),
        }
    }

    /// Whether the text may say how a command ended.
    fn is_of_command(&self) -> bool {
        !matches!(self, Self::File(_))
    }

    /// The result with another text in its place.
    fn with_text(&self, text: String) -> Json<'a> {
        match self {
            Self::Text => text.into(),
            Self::Parts => Json::List(vec![Json::object([
                ("type", "text".into()),
                ("text", text.into()),
            ])]),
            Self::Streams(response) => {
                let streams = [("stdout", text.into()), ("stderr", "".into())];
                streams.into_iter().fold(response.clone(), with_field)
            }
            Self::File(response) => {
                let file = response.get("file").cloned().unwrap_or_default();
                let file = with_field(file, ("content", text.into()));
                with_field(response.clone(), ("file", file))
            }
        }
    }
}

/// An object with another value in a field, which stays where it is.
fn with_field<'a>(mut object: Json<'a>, (name, value): (&'static str, Json<'a>)) -> Json<'a> {
    if let Json::Object(fields) = &mut object {
        match fields.iter_mut().rfind(|(it, _)| it == name) {
            Some(field) => field.1 = value,
            None => fields.push((name.into(), value)),
        }
    }
    object
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch::testing::{answered, context, end, refusal, told};

    const BATCH: &str = r#"{"hook_event_name": "PostToolBatch", "session_id": "s", "prompt_id": "p",
        "agent_id": "a", "tool_calls": [
            {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "c1",
             "tool_response": "a.rs"},
            {"tool_name": "Read", "tool_input": {"file_path": "b"},
             "tool_response": "<tool_use_error>no such file</tool_use_error>"},
            {"tool_name": "Bash", "tool_input": {"command": "make"}, "tool_response": "Exit code 2\nno rule"},
            {"tool_input": {}}, 7]}"#;

    #[test]
    fn a_batch_tells_of_all_calls_of_a_request() {
        assert_eq!(
            told(&DIALECT, BATCH),
            "s/a/p results [c1 Bash {\"command\":\"ls\"} \"a.rs\"] [Read {\"file_path\":\"b\"} \
             \"<tool_use_error>no such file</tool_use_error>\" failed] [Bash {\"command\":\"make\"} \
             \"Exit code 2\\nno rule\" 2]"
        );
    }

    #[test]
    fn only_a_start_after_a_compaction_is_of_interest() {
        let start = |source| {
            let start =
                r#"{"hook_event_name": "SessionStart", "session_id": "s", "source": "SOURCE"}"#;
            told(&DIALECT, &start.replace("SOURCE", source))
        };
        assert_eq!(start("compact"), "s/-/- compacted");
        assert_eq!(start("resume"), "nothing");
        assert_eq!(
            told(
                &DIALECT,
                r#"{"hook_event_name": "Stop", "session_id": "s"}"#
            ),
            "nothing"
        );
        assert_eq!(
            told(&DIALECT, r#"{"hook_event_name": "UserPromptSubmit"}"#),
            "nothing"
        );
    }

    #[test]
    fn a_result_is_replaced_in_its_tools_shape() {
        let arrived = |response: &str| {
            let event = r#"{"hook_event_name": "PostToolUse", "session_id": "s", "tool_name": "T",
                "tool_response": RESPONSE}"#;
            told(&DIALECT, &event.replace("RESPONSE", response))
        };
        for (response, line) in [
            (r#""a""#, r#""a"] arrived "a" "…""#),
            (
                r#"[{"type":"text","text":"a"}]"#,
                r#""a"] arrived "a" [{"type":"text","text":"…"}]"#,
            ),
            (
                r#"{"stdout":"a","stderr":"b","interrupted":false}"#,
                r#""a\nb"] arrived "a\nb" {"stdout":"…","stderr":"","interrupted":false}"#,
            ),
            (
                r#"{"type":"text","file":{"content":"a","numLines":1}}"#,
                r#""a"] arrived "a" {"type":"text","file":{"content":"…","numLines":1}}"#,
            ),
            (r#"{"stdout":"a","isImage":true}"#, r#""a"]"#),
            (r#"{"matrix":[]}"#, r#""{\"matrix\":[]}"]"#),
        ] {
            assert_eq!(arrived(response), format!("s/-/- results [T {{}} {line}"));
        }
    }

    #[test]
    fn versions_without_batches_tell_of_each_result_and_of_calls_that_are_refused() {
        let failure = r#"{"hook_event_name": "PostToolUseFailure", "session_id": "s", "tool_name": "Bash",
            "tool_input": {"command": "make"}, "tool_use_id": "c1", "error": "Exit code 2\nno rule"}"#;
        assert_eq!(
            told(&DIALECT, failure),
            r#"s/-/- results [c1 Bash {"command":"make"} "Exit code 2\nno rule" failed 2]"#
        );
        let asked = r#"{"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "Bash",
            "tool_input": {"command": "make"}}"#;
        assert_eq!(
            told(&DIALECT, asked),
            r#"s/-/- asked Bash {"command":"make"}"#
        );
        assert_eq!(
            answered(&DIALECT, asked, refusal()),
            r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"a loop"}}"#
        );
    }

    #[test]
    fn a_fact_is_context_and_a_stop_ends_the_turn() {
        assert_eq!(
            answered(&DIALECT, BATCH, context()),
            r#"{"hookSpecificOutput":{"hookEventName":"PostToolBatch","additionalContext":"a fact"}}"#
        );
        assert_eq!(
            answered(&DIALECT, BATCH, end()),
            r#"{"continue":false,"stopReason":"a loop"}"#
        );
    }
}
